import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../api/schema.js';
import { ErrorAlert } from '../../components/ErrorAlert.js';
import { PageHeader } from '../../components/PageHeader.js';
import { RequirePermission } from '../../components/RequirePermission.js';
import { usePermission } from '../../session/me.js';
import { RoleCards } from './RoleCards.js';
import { RoleEditor } from './RoleEditor.js';
import { RoleMatrix } from './RoleMatrix.js';
import { permissionsQuery, rolesQuery } from './roles.js';

/** The roles of the organization, and what each allows. */
export function RolesPage() {
  return (
    <RequirePermission permission="get-roles">
      <Roles />
    </RequirePermission>
  );
}

function Roles() {
  const [editor, setEditor] = useState<{ isOpen: boolean; role?: Role }>({ isOpen: false });
  const permissions = useQuery(permissionsQuery).data?.permissions;
  const canCreate = usePermission('create-roles');
  return (
    <>
      <PageHeader
        title="Roles"
        description="What members may do. Everybody has one role."
        actions={
          canCreate && (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={permissions === undefined}
              onClick={() => setEditor({ isOpen: true })}
            >
              Create role
            </Button>
          )
        }
      />
      <RoleOverview onOpen={(role) => setEditor({ isOpen: true, role })} />
      {permissions !== undefined && (
        <RoleEditor
          {...editor}
          onClose={() => setEditor((current) => ({ ...current, isOpen: false }))}
          permissions={permissions}
        />
      )}
    </>
  );
}

function RoleOverview({ onOpen }: { onOpen: (role: Role) => void }) {
  const roles = useQuery(rolesQuery);
  const permissions = useQuery(permissionsQuery);
  const error = roles.error ?? permissions.error;
  if (roles.data !== undefined && permissions.data !== undefined) {
    const overview = { roles: roles.data.roles, permissions: permissions.data.permissions, onOpen };
    return (
      <>
        <RoleMatrix {...overview} />
        <RoleCards {...overview} />
      </>
    );
  }
  if (error === null) return <Skeleton height={480} />;
  const retry = () => {
    void roles.refetch();
    void permissions.refetch();
  };
  return <ErrorAlert error={error} onRetry={retry} />;
}
