import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialogContext } from '../hooks/use-form-dialog.js';
import { useUnsavedChanges } from '../hooks/use-unsaved-changes.js';
import { UnsavedChangesModal } from './UnsavedChangesModal.js';

interface UnsavedChangesGuardProps {
  isOpen: boolean;
  onClose: () => void;
  /** Renders the dialog. */
  children: (dialog: { onClose: () => void; closeOnEscape: boolean }) => ReactNode;
}

/** Asks before a dialog closes, or its page is left, while its form has unsaved changes. */
export function UnsavedChangesGuard({ isOpen, onClose, children }: UnsavedChangesGuardProps) {
  const [isDirty, setIsDirty] = useState(false);
  const { tryToClose, ...confirmation } = useUnsavedChanges({ isDirty: isOpen && isDirty, onClose });
  return (
    <FormDialogContext value={{ tryToClose, setIsDirty }}>
      {children({ onClose: tryToClose, closeOnEscape: !confirmation.isAsking })}
      <UnsavedChangesModal {...confirmation} />
    </FormDialogContext>
  );
}

interface FormModalProps extends Omit<ModalProps, 'opened'> {
  isOpen: boolean;
}

/** A modal dialog with a form. */
export function FormModal({ isOpen, onClose, closeOnEscape = true, ...props }: FormModalProps) {
  return (
    <UnsavedChangesGuard isOpen={isOpen} onClose={onClose}>
      {(dialog) => (
        <Modal
          opened={isOpen}
          onClose={dialog.onClose}
          closeOnEscape={closeOnEscape && dialog.closeOnEscape}
          centered
          {...props}
        />
      )}
    </UnsavedChangesGuard>
  );
}
