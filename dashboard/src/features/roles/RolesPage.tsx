import { Button, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PermissionDetails, Role } from '../../api/schema.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { usePermission } from '../../session/me.js';
import { permissionsQuery } from '../../session/permissions.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { RequirePermission } from '../../ui/RequirePermission.js';
import { DeleteRoleModal } from './DeleteRoleModal.js';
import { RoleEditor } from './editor/RoleEditor.js';
import type { RoleActions } from './list/RoleMenu.js';
import { RoleMatrix } from './list/RoleMatrix.js';
import { RoleName } from './list/RoleName.js';
import { countGranted, listGranted } from '../../common/roles/role-permissions.js';
import { rolesQuery } from '../../common/roles/roles.js';
import classes from './RolesPage.module.css';

/** What the editor is opened for: a role, a new one, or a copy of one. */
type EditedRole = { role?: Role; copied?: Role };

/** Lists the organization's roles with their permissions. */
export function RolesPage() {
  return (
    <RequirePermission permission="get-roles">
      <Roles />
    </RequirePermission>
  );
}

function Roles() {
  const editor = useDialog<EditedRole>();
  const permissions = useQuery(permissionsQuery).data?.permissions;
  const canCreate = usePermission('create-roles');
  return (
    <div className={classes.page}>
      <PageHeader
        title="Roles"
        description="Every member and service account has a role, which defines what they can do."
        actions={
          canCreate && (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={permissions === undefined}
              onClick={() => editor.open({})}
            >
              Create role
            </Button>
          )
        }
      />
      <RoleOverview onOpen={(role) => editor.open({ role })} onCopy={(copied) => editor.open({ copied })} />
      {permissions !== undefined && (
        <RoleEditor {...editor.subject} isOpen={editor.isOpen} onClose={editor.close} permissions={permissions} />
      )}
    </div>
  );
}

function RoleOverview({ onOpen, onCopy }: Pick<RoleActions, 'onOpen' | 'onCopy'>) {
  const roles = useQuery(rolesQuery);
  const permissions = useQuery(permissionsQuery);
  const deletion = useDialog<Role>();
  const error = roles.error ?? permissions.error;
  if (roles.data !== undefined && permissions.data !== undefined) {
    const overview = { roles: roles.data.roles, permissions: permissions.data.permissions };
    const actions = { onOpen, onCopy, onDelete: deletion.open };
    return (
      <>
        <RoleMatrix {...overview} {...actions} />
        <RoleCards {...overview} {...actions} />
        {deletion.subject && (
          <DeleteRoleModal
            key={deletion.subject.id}
            role={deletion.subject}
            isOpen={deletion.isOpen}
            onClose={deletion.close}
          />
        )}
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

/** Describes permissions by their number and their names. */
function describeGranted(...granted: Parameters<typeof listGranted>): string {
  const [count, list] = [countGranted(...granted), listGranted(...granted)];
  return count === list ? count : `${count}: ${list}`;
}

interface RoleCardsProps extends RoleActions {
  roles: readonly Role[];
  permissions: readonly PermissionDetails[];
}

/** A list of roles, for screens too narrow for the matrix. */
function RoleCards({ roles, permissions, ...actions }: RoleCardsProps) {
  return (
    <Stack gap="sm" hiddenFrom="md" role="list" aria-label="Roles">
      {roles.map((role) => (
        <Paper key={role.id} withBorder p="md" role="listitem">
          <RoleName role={role} {...actions} />
          <Text size="sm" c="dimmed" mt="xs">
            {describeGranted(permissions, role.permissions)}
          </Text>
        </Paper>
      ))}
    </Stack>
  );
}
