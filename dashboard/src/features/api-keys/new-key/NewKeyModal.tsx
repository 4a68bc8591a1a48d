import { type ReactNode, useState } from 'react';
import { FormModal } from '../../../ui/FormModal.js';
import { NewKey } from './NewKey.js';

interface IssuedKey {
  key: string;
  /** Of a created key. */
  id?: string | undefined;
  /** What the key may use; all models if it is null or missing. */
  models?: string[] | null;
}

type Issue = (request: () => Promise<IssuedKey>) => Promise<void>;

interface NewKeyModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** The title of the form, such as "Create key". */
  title: string;
  /** Renders the form, which calls `issue` with the request that returns the key. */
  form: (issue: Issue) => ReactNode;
  /** Shown below the key. */
  note?: ReactNode;
  /** Called after the user has saved the key and the dialog is closed. */
  onSaved?: () => void;
}

/** A form that ends with a new key, and stays open until the user has saved it. */
export function NewKeyModal({ isOpen, onClose, title, form, note, onSaved }: NewKeyModalProps) {
  const { id, plaintext, models, isIssuing, issue, discard } = useIssuedKey();
  const mayClose = plaintext === undefined && !isIssuing;
  const finish = () => {
    onClose();
    onSaved?.();
  };
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      title={plaintext === undefined ? title : 'Save your key'}
      closeOnEscape={mayClose}
      closeOnClickOutside={mayClose}
      withCloseButton={mayClose}
      size="lg"
      onExitTransitionEnd={discard}
    >
      {plaintext === undefined ? form(issue) : <NewKey {...{ id, plaintext, models, note }} onSaved={finish} />}
    </FormModal>
  );
}

/** Holds a new key in this component only. `issue` doesn't return the key, so no cache of responses stores it. */
function useIssuedKey() {
  const [issued, setIssued] = useState<IssuedKey>();
  // The dialog stays open during the request, or the user would never see the key.
  const [isIssuing, setIsIssuing] = useState(false);
  const issue: Issue = async (request) => {
    setIsIssuing(true);
    try {
      setIssued(await request());
    } finally {
      setIsIssuing(false);
    }
  };
  return {
    id: issued?.id,
    plaintext: issued?.key,
    models: issued?.models,
    isIssuing,
    issue,
    discard: () => setIssued(undefined),
  };
}
