import { Code } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type PermissionName, useMe } from '../session/me.js';
import { EmptyState } from './EmptyState.js';

interface RequirePermissionProps {
  permission: PermissionName;
  children: ReactNode;
}

/** Shows a page to those who may see it, and tells the others what they would need. */
export function RequirePermission({ permission, children }: RequirePermissionProps) {
  const { permissions, role, organization } = useMe();
  if (permissions.includes(permission)) return children;
  return (
    <EmptyState icon={<IconLock size={28} />} title="Your role does not include this page">
      It needs the permission <Code>{permission}</Code>, which your role in {organization.name}, {role.name}, does not
      have. Whoever manages roles there can add it.
    </EmptyState>
  );
}
