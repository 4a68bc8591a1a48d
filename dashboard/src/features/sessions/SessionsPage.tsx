import { Paper } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { DataTable } from '../../ui/DataTable.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { signInMethodsQuery } from '../sign-in/sign-in-methods.js';
import { ChangePasswordForm } from './ChangePasswordForm.js';
import { sessionColumns } from './columns.js';
import { SignOutOtherSessionsButton } from './SignOutOtherSessionsButton.js';

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => unwrap(api.GET('/auth/sessions', { signal })),
});

/** Lists the user's sessions and lets them change their password. */
export function SessionsPage() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const methods = useQuery(signInMethodsQuery);
  const hasOthers = data?.sessions.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <>
      <PageHeader
        title="Your sessions"
        description="Devices where you're signed in. Sign out any device you don't recognize."
        actions={hasOthers && <SignOutOtherSessionsButton />}
      />
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <Paper withBorder p="md">
          <DataTable
            label="Your sessions"
            columns={sessionColumns}
            rows={data?.sessions}
            rowKey={({ id }) => id}
            empty={null}
            skeletonRows={2}
          />
        </Paper>
      )}
      {methods.data?.password === true && <ChangePasswordForm />}
    </>
  );
}
