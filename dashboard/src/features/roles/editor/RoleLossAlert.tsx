import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Permission, Role } from '../../../api/schema.js';
import { type PermissionName, useMe } from '../../../session/me.js';
import { describeLoss } from '../role-permissions.js';

interface RoleLossAlertProps {
  role: Role;
  permissions: readonly Permission[];
  /** What the role is about to hold. */
  after: readonly PermissionName[];
}

/** Warns those who are about to take something from their own role: they could not give it back to themselves. */
export function RoleLossAlert({ role, permissions, after }: RoleLossAlertProps) {
  const loss = describeLoss(permissions, { before: role.permissions, after });
  if (useMe().role.id !== role.id || loss === undefined) return null;
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
      This is your own role. Once you save, you lose: {loss}. You cannot give it back to yourself.
    </Alert>
  );
}
