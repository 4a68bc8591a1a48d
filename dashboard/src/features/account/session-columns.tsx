import { Badge, Group, Text } from '@mantine/core';
import type { Session } from '../../api/schema.js';
import type { Column } from '../../ui/DataTable.js';
import { describeUserAgent } from '../../lib/describe-user-agent.js';
import { Time } from '../../ui/Time.js';
import { SignOutSessionButton } from './SignOutSessionButton.js';

/** The service only records when a session renews its access token, every few minutes. */
const activeNow = 'Active now';

/** Columns of the sessions table. `onSignOut` is called for other devices. */
export const sessionColumns = (onSignOut: (session: Session) => void): Column<Session>[] => [
  {
    key: 'device',
    header: 'Device',
    render: ({ userAgent, isCurrent }) => (
      <Group gap="xs">
        <Text size="sm" fw={500} title={userAgent ?? undefined}>
          {describeUserAgent(userAgent)}
        </Text>
        {isCurrent && (
          <Badge variant="light" size="sm">
            This device
          </Badge>
        )}
      </Group>
    ),
    isName: true,
  },
  {
    key: 'address',
    header: 'IP address',
    render: ({ address }) => address,
    visibleFrom: 'sm',
    whenHidden: ({ address }) => address,
  },
  {
    key: 'createdAt',
    header: 'Signed in',
    render: ({ createdAt }) => <Time at={createdAt} />,
    visibleFrom: 'md',
    whenHidden: ({ createdAt }) => (
      <>
        Signed in <Time at={createdAt} />
      </>
    ),
  },
  {
    key: 'lastUsedAt',
    header: 'Last active',
    render: ({ isCurrent, lastUsedAt }) => (isCurrent ? activeNow : <Time at={lastUsedAt} />),
    visibleFrom: 'xs',
    whenHidden: ({ isCurrent, lastUsedAt }) =>
      isCurrent ? (
        activeNow
      ) : (
        <>
          Last active <Time at={lastUsedAt} />
        </>
      ),
  },
  {
    key: 'sign-out',
    header: 'Actions',
    hidesHeader: true,
    render: (session) => <SignOutSessionButton session={session} onSignOut={onSignOut} />,
    align: 'right',
  },
];
