import { Drawer } from '@mantine/core';
import { useState } from 'react';
import type { Permission, Role } from '../../../api/schema.js';
import { notifyDone } from '../../../lib/notify.js';
import { UnsavedChangesModal } from '../../../ui/UnsavedChangesModal.js';
import { useUnsavedChanges } from '../../../hooks/use-unsaved-changes.js';
import { RoleForm } from './RoleForm.js';

interface RoleEditorProps {
  isOpen: boolean;
  onClose: () => void;
  /** Omit to create a role. */
  role?: Role;
  permissions: readonly Permission[];
}

/** A drawer to create or edit a role. Asks before discarding unsaved changes. */
export function RoleEditor({ isOpen, onClose, role, permissions }: RoleEditorProps) {
  const [isDirty, setIsDirty] = useState(false);
  const close = () => {
    setIsDirty(false);
    onClose();
  };
  const { tryToClose, ...unsavedChanges } = useUnsavedChanges({ isDirty, onClose: close });
  const finish = ({ name }: Role) => {
    close();
    notifyDone(role === undefined ? `${name} created.` : `${name} saved. Changes apply immediately.`);
  };
  return (
    <>
      <Drawer
        opened={isOpen}
        onClose={tryToClose}
        closeOnEscape={!unsavedChanges.isAsking}
        position="right"
        size="md"
        title={role === undefined ? 'Create role' : role.name}
      >
        <RoleForm
          key={role?.id}
          role={role}
          permissions={permissions}
          onDirtyChange={setIsDirty}
          onCancel={tryToClose}
          onDone={finish}
        />
      </Drawer>
      <UnsavedChangesModal {...unsavedChanges} />
    </>
  );
}
