import { type ReactNode, useState } from 'react';
import { FormModal } from './FormModal.js';

/** Sends a request that returns a secret, and shows the secret. */
export type Issue<Issued> = (request: () => Promise<Issued>) => Promise<void>;

interface NewSecretModalProps<Issued> {
  isOpen: boolean;
  onClose: () => void;
  /** The title of the form, such as "Create key". */
  title: string;
  /** The title while the secret is shown. */
  savedTitle: string;
  /** Renders the form, which calls `issue` with the request that returns the secret. */
  form: (issue: Issue<Issued>) => ReactNode;
  /** Renders the secret, and calls `onSaved` once the user has saved it. */
  secret: (issued: Issued, onSaved: () => void) => ReactNode;
  /** Called after the user has saved the secret and the dialog is closed. */
  onSaved?: (() => void) | undefined;
}

/** A form that ends with a secret, and stays open until the user has saved it. */
export function NewSecretModal<Issued extends object>(props: NewSecretModalProps<Issued>) {
  const { isOpen, onClose, title, savedTitle, form, secret, onSaved } = props;
  const { issued, isIssuing, issue, discard } = useIssuedSecret<Issued>();
  const mayClose = issued === undefined && !isIssuing;
  const finish = () => {
    onClose();
    onSaved?.();
  };
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      title={issued === undefined ? title : savedTitle}
      closeOnEscape={mayClose}
      closeOnClickOutside={mayClose}
      withCloseButton={mayClose}
      size="lg"
      // Shown at the top, the secret stays in place while examples and results below it change.
      centered={issued === undefined}
      onExitTransitionEnd={discard}
    >
      {issued === undefined ? form(issue) : secret(issued, finish)}
    </FormModal>
  );
}

/** Holds a secret in this component only. `issue` doesn't return it, so no cache of responses stores it. */
function useIssuedSecret<Issued extends object>() {
  const [issued, setIssued] = useState<Issued>();
  // The dialog stays open during the request, or the user would never see the secret.
  const [isIssuing, setIsIssuing] = useState(false);
  const issue: Issue<Issued> = async (request) => {
    setIsIssuing(true);
    try {
      const secret = await request();
      setIssued(() => secret);
    } finally {
      setIsIssuing(false);
    }
  };
  return { issued, isIssuing, issue, discard: () => setIssued(undefined) };
}
