import { Avatar, Badge, Group, Text } from '@mantine/core';
import type { Member } from '../../api/schema.js';
import { useMe } from '../../session/me.js';

/** The name and email of a member. */
export function MemberName({ member: { userId, name, email } }: { member: Member }) {
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
