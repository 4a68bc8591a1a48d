import { Paper, Stack, Text } from '@mantine/core';
import type { PermissionDetails, Role } from '../../../api/schema.js';
import { RoleName } from './RoleName.js';
import { countGranted } from '../role-permissions.js';

interface RoleCardsProps {
  roles: readonly Role[];
  permissions: readonly PermissionDetails[];
  onOpen: (role: Role) => void;
}

/** A list of roles, for screens too narrow for the matrix. */
export function RoleCards({ roles, permissions, onOpen }: RoleCardsProps) {
  return (
    <Stack gap="sm" hiddenFrom="md" role="list" aria-label="Roles">
      {roles.map((role) => (
        <Paper key={role.id} withBorder p="md" role="listitem">
          <RoleName role={role} onOpen={onOpen} />
          <Text size="sm" c="dimmed" mt="xs">
            {countGranted(permissions, role.permissions)}
          </Text>
        </Paper>
      ))}
    </Stack>
  );
}
