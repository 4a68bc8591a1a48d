import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { PermissionName } from '../session/me.js';
import { usePermissionLabels } from '../session/permissions.js';

/** Explains why a form is read-only. */
export function ReadOnlyAlert({ permission }: { permission: PermissionName }) {
  return (
    <Alert variant="light" color="gray" icon={<IconLock />}>
      Read-only. Making changes requires the permission “{usePermissionLabels()(permission)}”.
    </Alert>
  );
}
