import { Anchor, Badge, Group, Text } from '@mantine/core';
import type { Role } from '../../../api/schema.js';
import { useMe } from '../../../session/me.js';
import { describeUses } from '../role-uses.js';
import { type RoleActions, RoleMenu } from './RoleMenu.js';

interface RoleNameProps extends RoleActions {
  role: Role;
}

/** The role's name and menu, and how many members, service accounts and invitations have it. Clicking the name opens the role. */
export function RoleName({ role, ...actions }: RoleNameProps) {
  const { id } = useMe().role;
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
      <div>
        <Anchor
          component="button"
          type="button"
          c="inherit"
          fw={600}
          size="sm"
          ta="left"
          onClick={() => actions.onOpen(role)}
        >
          {role.name}
        </Anchor>
        <Group gap="xs">
          <Text size="xs" c="dimmed" fw={400}>
            {describeUses(role).join(' · ') || '0 members'}
          </Text>
          {role.id === id && (
            <Badge size="sm" variant="light">
              Your role
            </Badge>
          )}
        </Group>
      </div>
      <RoleMenu role={role} {...actions} />
    </Group>
  );
}
