import { Badge, Group, Text } from '@mantine/core';
import type { Session } from '../../api/schema.js';
import type { Column } from '../../ui/DataTable.js';
import { describeUserAgent } from '../../lib/describe-user-agent.js';
import { Time } from '../../ui/Time.js';
import { EndSessionButton } from './EndSessionButton.js';

/** What the table of sessions shows of each. */
export const sessionColumns: Column<Session>[] = [
  {
    key: 'program',
    header: 'Signed in with',
    render: ({ userAgent, isCurrent, address }) => (
      <Group gap="xs">
        <Text size="sm" fw={500} title={userAgent ?? undefined}>
          {describeUserAgent(userAgent)}
        </Text>
        {isCurrent && (
          <Badge variant="light" size="sm">
            This one
          </Badge>
        )}
        <Text size="xs" c="dimmed" w="100%" hiddenFrom="sm">
          {address}
        </Text>
      </Group>
    ),
  },
  { key: 'address', header: 'Address', render: ({ address }) => address, visibleFrom: 'sm' },
  { key: 'createdAt', header: 'Began', render: ({ createdAt }) => <Time at={createdAt} />, visibleFrom: 'md' },
  { key: 'lastUsedAt', header: 'Last used', render: ({ lastUsedAt }) => <Time at={lastUsedAt} />, visibleFrom: 'xs' },
  { key: 'end', header: '', render: (session) => <EndSessionButton session={session} />, align: 'right' },
];
