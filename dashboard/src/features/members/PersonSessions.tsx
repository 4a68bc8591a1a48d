import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PersonSession } from '../../api/schema.js';
import { personSessionsQuery } from '../../common/people/people.js';
import { describeUserAgent } from '../../lib/describe-user-agent.js';
import { useMe } from '../../session/me.js';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { Time } from '../../ui/Time.js';

/** Where a member is signed in to the organization. */
export function PersonSessions({ userId, name }: { userId: string; name: string }) {
  const { organization } = useMe();
  const { data, error, refetch } = useQuery(personSessionsQuery(userId));
  return (
    <Paper withBorder p="lg" component="section" aria-label="Sessions">
      <Title order={2} size="h4">
        Sessions
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        Devices signed in to {organization.name}. Sessions in other organizations aren&apos;t shown.
      </Text>
      {error !== null && data === undefined && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <DataTable
          label={`Sessions of ${name}`}
          columns={columns}
          rows={data?.sessions}
          rowKey={({ id }) => id}
          skeletonRows={2}
          empty={
            <Text size="sm" c="dimmed">
              {name} isn&apos;t signed in.
            </Text>
          }
        />
      )}
    </Paper>
  );
}

const columns: Column<PersonSession>[] = [
  {
    key: 'device',
    header: 'Device',
    render: ({ userAgent }) => (
      <Text size="sm" fw={500} title={userAgent ?? undefined}>
        {describeUserAgent(userAgent)}
      </Text>
    ),
    isName: true,
  },
  {
    key: 'address',
    header: 'IP address',
    render: ({ address }) => address,
    visibleFrom: 'xs',
    whenHidden: ({ address }) => address,
  },
  {
    key: 'createdAt',
    header: 'Signed in',
    render: ({ createdAt }) => <Time at={createdAt} />,
    visibleFrom: 'sm',
    whenHidden: ({ createdAt }) => (
      <>
        Signed in <Time at={createdAt} />
      </>
    ),
  },
  {
    key: 'lastUsedAt',
    header: 'Last active',
    render: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
    visibleFrom: 'xs',
    whenHidden: ({ lastUsedAt }) => (
      <>
        Last active <Time at={lastUsedAt} />
      </>
    ),
  },
];
