import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { NewKey } from './NewKey.js';
import { useIssuedKey } from '../dialogs/use-issued-key.js';

interface NewKeyModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** What is asked for, such as "Create key". */
  title: string;
  /** The form, which calls `issue` with the request whose answer holds the key. */
  form: (issue: (request: () => Promise<{ key: string }>) => Promise<void>) => ReactNode;
  /** What else there is to know of the key, once it is there. */
  note?: ReactNode;
  /** Called when the key has been saved and the dialog is closed. */
  onSaved?: () => void;
}

/** A dialog that ends with a new key, and does not close before the key is saved. */
export function NewKeyModal({ isOpen, onClose, title, form, note, onSaved }: NewKeyModalProps) {
  const { plaintext, isIssuing, issue, drop } = useIssuedKey();
  const mayClose = plaintext === undefined && !isIssuing;
  const finish = () => {
    onClose();
    onSaved?.();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={plaintext === undefined ? title : 'Save your key'}
      closeOnEscape={mayClose}
      closeOnClickOutside={mayClose}
      withCloseButton={mayClose}
      size={plaintext === undefined ? 'md' : 'lg'}
      onExitTransitionEnd={drop}
      centered
    >
      {plaintext === undefined ? form(issue) : <NewKey plaintext={plaintext} note={note} onSaved={finish} />}
    </Modal>
  );
}
