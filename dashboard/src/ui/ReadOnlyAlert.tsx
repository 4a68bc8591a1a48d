import { Alert, Code } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { PermissionName } from '../session/me.js';

interface ReadOnlyAlertProps {
  /** What is shown, with the beginning of what changing it needs: "You can look at this role. Changing it". */
  children: string;
  permission: PermissionName;
}

/** Says why a form is only to be read. */
export function ReadOnlyAlert({ children, permission }: ReadOnlyAlertProps) {
  return (
    <Alert variant="light" color="gray" icon={<IconLock />}>
      {children} needs the permission <Code>{permission}</Code>.
    </Alert>
  );
}
