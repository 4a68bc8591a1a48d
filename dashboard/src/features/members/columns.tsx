import { Avatar, Badge, Group, Text } from '@mantine/core';
import type { Member } from '../../api/schema.js';
import type { Column } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { useMe } from '../../session/me.js';
import { MemberRole } from './MemberRole.js';
import { RemoveMemberButton } from './RemoveMemberButton.js';

/** Columns of the members table. */
export const memberColumns: Column<Member>[] = [
  { key: 'member', header: 'Member', render: (member) => <MemberName member={member} />, breaksWords: true },
  { key: 'role', header: 'Role', render: (member) => <MemberRole member={member} /> },
  { key: 'joinedAt', header: 'Joined', render: ({ joinedAt }) => <Time at={joinedAt} />, visibleFrom: 'md' },
  { key: 'remove', header: '', render: (member) => <RemoveMemberButton member={member} />, align: 'right' },
];

function MemberName({ member: { userId, name, email } }: { member: Member }) {
  const { user } = useMe();
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={name} color="indigo" radius="xl" size={34} aria-hidden visibleFrom="xs" />
      <div>
        <Group gap={6}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {userId === user.id && (
            <Badge size="xs" variant="light">
              You
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </div>
    </Group>
  );
}
