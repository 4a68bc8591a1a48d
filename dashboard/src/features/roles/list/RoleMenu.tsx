import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Role } from '../../../api/schema.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { usePermission } from '../../../session/me.js';
import { DeleteRoleModal } from '../DeleteRoleModal.js';
import { deletionDisabledReason } from '../role-uses.js';

interface RoleMenuProps {
  role: Role;
  onOpen: (role: Role) => void;
}

/** Actions for a role that the user has permission for. */
export function RoleMenu({ role, onOpen }: RoleMenuProps) {
  const deletion = useDialog();
  const canUpdate = usePermission('update-roles');
  const canDelete = usePermission('delete-roles');
  const disabledReason = deletionDisabledReason(role);
  const Icon = canUpdate ? IconPencil : IconEye;
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${role.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon size={16} aria-hidden />} onClick={() => onOpen(role)}>
            {canUpdate ? 'Edit role' : 'View role'}
          </Menu.Item>
          {canDelete && (
            <>
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} aria-hidden />}
                disabled={disabledReason !== undefined}
                onClick={() => deletion.open()}
              >
                Delete role
              </Menu.Item>
              {disabledReason !== undefined && <Menu.Label>{disabledReason}</Menu.Label>}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <DeleteRoleModal role={role} isOpen={deletion.isOpen} onClose={deletion.close} />
    </>
  );
}
