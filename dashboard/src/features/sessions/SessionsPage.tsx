import { Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../ui/DataTable.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { signInMethodsQuery } from '../sign-in/sign-in-methods.js';
import { ChangePasswordForm } from './ChangePasswordForm.js';
import { sessionColumns } from './columns.js';
import { EndOtherSessionsButton } from './EndOtherSessionsButton.js';
import { sessionsQuery } from './sessions.js';

/** Where the user is signed in, and what they sign in with. */
export function SessionsPage() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const methods = useQuery(signInMethodsQuery);
  const hasOthers = data?.sessions.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <>
      <PageHeader
        title="Your sessions"
        description="Where you are signed in. End what you do not recognize."
        actions={hasOthers && <EndOtherSessionsButton />}
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
