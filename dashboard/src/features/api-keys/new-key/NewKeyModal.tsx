import type { ReactNode } from 'react';
import { type Issue, NewSecretModal } from '../../../ui/NewSecretModal.js';
import { NewKey } from './NewKey.js';

interface IssuedKey {
  key: string;
  /** The id of a created key. */
  id?: string | undefined;
  /** What the key may use; all models if it is null or missing. */
  models?: string[] | null | undefined;
}

interface NewKeyModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** The title of the form, such as "Create key". */
  title: string;
  /** Renders the form, which calls `issue` with the request that returns the key. */
  form: (issue: Issue<IssuedKey>) => ReactNode;
  /** Shown below the key. */
  note?: ReactNode;
  /** Called after the user has saved the key and the dialog is closed. */
  onSaved?: () => void;
}

/** A form that ends with a new key. */
export function NewKeyModal({ note, ...props }: NewKeyModalProps) {
  return (
    <NewSecretModal<IssuedKey>
      {...props}
      savedTitle="Save your key"
      secret={({ id, key, models }, onSaved) => <NewKey {...{ id, plaintext: key, models, note, onSaved }} />}
    />
  );
}
