import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Role } from '../../../api/schema.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { usePermission } from '../../../session/me.js';
import { DeleteRoleModal } from '../DeleteRoleModal.js';

interface RoleMenuProps {
  role: Role;
  onOpen: (role: Role) => void;
}

/** What the user may do with a role. */
export function RoleMenu({ role, onOpen }: RoleMenuProps) {
  const deletion = useDialog();
  const mayUpdate = usePermission('update-roles');
  const mayDelete = usePermission('delete-roles');
  const Icon = mayUpdate ? IconPencil : IconEye;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${role.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon size={16} aria-hidden />} onClick={() => onOpen(role)}>
            {mayUpdate ? 'Edit role' : 'View role'}
          </Menu.Item>
          {mayDelete && (
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => deletion.open()}
            >
              Delete role
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <DeleteRoleModal role={role} isOpen={deletion.isOpen} onClose={deletion.close} />
    </>
  );
}
