import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type PermissionName, useMe } from '../session/me.js';
import { usePermissionLabels } from '../session/permissions.js';
import { EmptyPage } from './EmptyState.js';

interface RequirePermissionProps {
  permission: PermissionName;
  children: ReactNode;
}

/** Shows a page only to users with a permission. */
export function RequirePermission({ permission, children }: RequirePermissionProps) {
  const { permissions, role, organization } = useMe();
  if (permissions.includes(permission)) return children;
  return (
    <EmptyPage icon={<IconLock size={28} />} title="You don't have access to this page">
      Your role ({role.name}) doesn&apos;t include the permission <PermissionLabel permission={permission} />. Ask an
      administrator of {organization.name} for access.
    </EmptyPage>
  );
}

function PermissionLabel({ permission }: Pick<RequirePermissionProps, 'permission'>) {
  return <>“{usePermissionLabels()(permission)}”</>;
}
