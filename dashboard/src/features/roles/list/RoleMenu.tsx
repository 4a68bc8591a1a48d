import { Menu } from '@mantine/core';
import { IconCopy, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Role } from '../../../api/schema.js';
import { usePermission } from '../../../session/me.js';
import { RowMenu } from '../../../ui/RowMenu.js';
import { deletionDisabledReason } from '../role-uses.js';

/** What a user can do with a role. */
export interface RoleActions {
  onOpen: (role: Role) => void;
  /** Opens the editor for a new role with the same permissions. */
  onCopy: (role: Role) => void;
  onDelete: (role: Role) => void;
}

interface RoleMenuProps extends RoleActions {
  role: Role;
}

/** Actions for a role that the user has permission for. */
export function RoleMenu({ role, onOpen, onCopy, onDelete }: RoleMenuProps) {
  const canCreate = usePermission('create-roles');
  const canUpdate = usePermission('update-roles');
  const canDelete = usePermission('delete-roles');
  const disabledReason = deletionDisabledReason(role);
  const Icon = canUpdate ? IconPencil : IconEye;
  return (
    <RowMenu label={`Actions for ${role.name}`} width={230}>
      <Menu.Item leftSection={<Icon size={16} aria-hidden />} onClick={() => onOpen(role)}>
        {canUpdate ? 'Edit role' : 'View role'}
      </Menu.Item>
      {canCreate && (
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => onCopy(role)}>
          Copy role
        </Menu.Item>
      )}
      {canDelete && (
        <>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            disabled={disabledReason !== undefined}
            onClick={() => onDelete(role)}
          >
            Delete role
          </Menu.Item>
          {disabledReason !== undefined && <Menu.Label>{disabledReason}</Menu.Label>}
        </>
      )}
    </RowMenu>
  );
}
