import { Badge, Group, Text } from '@mantine/core';
import type { Session } from '../../api/schema.js';
import type { Column } from '../../ui/DataTable.js';
import { describeUserAgent } from '../../lib/describe-user-agent.js';
import { Time } from '../../ui/Time.js';
import { SignOutSessionButton } from './SignOutSessionButton.js';

/** The service only records when a session renews its access token, every few minutes. */
const activeNow = 'Active now';

/** Columns of the sessions table. */
export const sessionColumns: Column<Session>[] = [
  {
    key: 'device',
    header: 'Device',
    render: ({ userAgent, isCurrent, address, lastUsedAt }) => (
      <Group gap="xs">
        <Text size="sm" fw={500} title={userAgent ?? undefined}>
          {describeUserAgent(userAgent)}
        </Text>
        {isCurrent && (
          <Badge variant="light" size="sm">
            This device
          </Badge>
        )}
        <Text size="xs" c="dimmed" w="100%" hiddenFrom="sm">
          {address}
        </Text>
        <Text size="xs" c="dimmed" w="100%" hiddenFrom="xs">
          {isCurrent ? (
            activeNow
          ) : (
            <>
              Last active <Time at={lastUsedAt} />
            </>
          )}
        </Text>
      </Group>
    ),
  },
  { key: 'address', header: 'IP address', render: ({ address }) => address, visibleFrom: 'sm' },
  { key: 'createdAt', header: 'Signed in', render: ({ createdAt }) => <Time at={createdAt} />, visibleFrom: 'md' },
  {
    key: 'lastUsedAt',
    header: 'Last active',
    render: ({ isCurrent, lastUsedAt }) => (isCurrent ? activeNow : <Time at={lastUsedAt} />),
    visibleFrom: 'xs',
  },
  {
    key: 'sign-out',
    header: 'Actions',
    hidesHeader: true,
    render: (session) => <SignOutSessionButton session={session} />,
    align: 'right',
  },
];
