import { Drawer } from '@mantine/core';
import type { PermissionDetails, Role } from '../../../api/schema.js';
import { notifyDone } from '../../../lib/notify.js';
import { UnsavedChangesGuard } from '../../../ui/FormModal.js';
import { RoleForm } from './RoleForm.js';

interface RoleEditorProps {
  isOpen: boolean;
  onClose: () => void;
  /** Omit to create a role. */
  role?: Role;
  permissions: readonly PermissionDetails[];
}

/** A drawer to create or edit a role. Asks before discarding unsaved changes. */
export function RoleEditor({ isOpen, onClose, role, permissions }: RoleEditorProps) {
  const finish = ({ name }: Role) => {
    onClose();
    notifyDone(role === undefined ? `${name} created.` : `${name} saved. Changes apply immediately.`);
  };
  return (
    <UnsavedChangesGuard isOpen={isOpen} onClose={onClose}>
      {(dialog) => (
        <Drawer
          opened={isOpen}
          {...dialog}
          position="right"
          size="md"
          title={role === undefined ? 'Create role' : role.name}
        >
          <RoleForm key={role?.id} role={role} permissions={permissions} onCancel={dialog.onClose} onDone={finish} />
        </Drawer>
      )}
    </UnsavedChangesGuard>
  );
}
