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
  /** Whose permissions a new role has at first. */
  copied?: Role;
  permissions: readonly PermissionDetails[];
}

/** A drawer to create or edit a role. Asks before discarding unsaved changes. */
export function RoleEditor({ isOpen, onClose, role, copied, permissions }: RoleEditorProps) {
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
          title={role?.name ?? (copied === undefined ? 'Create role' : `Copy ${copied.name}`)}
        >
          <RoleForm
            key={role?.id ?? copied?.id}
            role={role}
            copied={copied}
            permissions={permissions}
            onCancel={dialog.onClose}
            onDone={finish}
          />
        </Drawer>
      )}
    </UnsavedChangesGuard>
  );
}
