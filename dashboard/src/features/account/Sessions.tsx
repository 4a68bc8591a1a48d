import { Group, Paper, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { Session } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { DataTable } from '../../ui/DataTable.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { sessionColumns } from './session-columns.js';
import { SignOutOtherSessionsButton } from './SignOutOtherSessionsButton.js';
import { SignOutSessionModal } from './SignOutSessionModal.js';

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => unwrap(api.GET('/auth/sessions', { signal })),
});

/** Lists the user's sessions and lets them sign out devices. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const signOut = useDialog<Session>();
  const hasOthers = data?.sessions.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <Paper withBorder py="lg" px={{ base: 'xs', sm: 'lg' }} component="section" aria-labelledby="sessions">
      <Group justify="space-between" mb="md" px={{ base: 'xs', sm: 0 }}>
        <div>
          <Title order={2} size="h4" id="sessions">
            Sessions
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            Devices where you&apos;re signed in. Sign out any device you don&apos;t recognize.
          </Text>
        </div>
        {hasOthers && <SignOutOtherSessionsButton />}
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <DataTable
          label="Your sessions"
          columns={sessionColumns(signOut.open)}
          rows={data?.sessions}
          rowKey={({ id }) => id}
          empty={null}
          skeletonRows={2}
        />
      )}
      {signOut.subject && (
        <SignOutSessionModal
          key={signOut.subject.id}
          session={signOut.subject}
          isOpen={signOut.isOpen}
          onClose={signOut.close}
        />
      )}
    </Paper>
  );
}
