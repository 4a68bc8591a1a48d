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
  /** The role to change; without it, a new one. */
  role?: Role;
  permissions: readonly Permission[];
}

/** Slides in to create a role or to change one, and does not close over unsaved changes unasked. */
export function RoleEditor({ isOpen, onClose, role, permissions }: RoleEditorProps) {
  const [isDirty, setIsDirty] = useState(false);
  const close = () => {
    setIsDirty(false);
    onClose();
  };
  const { tryToClose, ...question } = useUnsavedChanges({ isDirty, onClose: close });
  const finish = ({ name }: Role) => {
    close();
    notifyDone(role === undefined ? `${name} is created.` : `${name} is changed, at once for all who have it.`);
  };
  return (
    <>
      <Drawer
        opened={isOpen}
        onClose={tryToClose}
        closeOnEscape={!question.isAsking}
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
      <UnsavedChangesModal {...question} />
    </>
  );
}
