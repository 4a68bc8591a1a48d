import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Role } from '../../api/schema.js';
import { usePermission } from '../../session/me.js';
import { DeleteRoleModal } from './DeleteRoleModal.js';

interface RoleMenuProps {
  role: Role;
  onOpen: (role: Role) => void;
}

/** What the user may do with a role. */
export function RoleMenu({ role, onOpen }: RoleMenuProps) {
  const [isDeleting, deletion] = useDisclosure(false);
  const target = useRef<HTMLButtonElement>(null);
  const canUpdate = usePermission('update-roles');
  const canDelete = usePermission('delete-roles');
  const Icon = canUpdate ? IconPencil : IconEye;
  // A dialog gives the focus back to where it was, and the item will be gone by then.
  const begin = (action: () => void) => {
    target.current?.focus();
    action();
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon ref={target} variant="subtle" color="gray" aria-label={`Actions for ${role.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon size={16} aria-hidden />} onClick={() => begin(() => onOpen(role))}>
            {canUpdate ? 'Edit role' : 'View role'}
          </Menu.Item>
          {canDelete && (
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => begin(deletion.open)}
            >
              Delete role
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <DeleteRoleModal role={role} isOpen={isDeleting} onClose={deletion.close} />
    </>
  );
}
