import { lazy, Suspense } from 'react';
import type { Dialog } from '../../components/use-dialog.js';
import type { ApiKeyAction } from './key-actions.js';
import { loadDeleteKeyModal, loadRenameKeyModal, loadRotateKeyModal } from './load-dialogs.js';

const dialogs = {
  rename: lazy(() => loadRenameKeyModal().then(({ RenameKeyModal }) => ({ default: RenameKeyModal }))),
  rotate: lazy(() => loadRotateKeyModal().then(({ RotateKeyModal }) => ({ default: RotateKeyModal }))),
  delete: lazy(() => loadDeleteKeyModal().then(({ DeleteKeyModal }) => ({ default: DeleteKeyModal }))),
};

interface ApiKeyDialogsProps {
  dialog: Dialog<ApiKeyAction>;
  /** Called when the key is gone, before the pages learn of it. */
  onDeleted?: () => Promise<void>;
}

/** What is asked before something is done with a key. */
export function ApiKeyDialogs({ dialog: { subject, isOpen, close }, onDeleted }: ApiKeyDialogsProps) {
  if (subject === undefined) return null;
  const { kind, apiKey } = subject;
  const ActionModal = dialogs[kind];
  return (
    <Suspense>
      <ActionModal apiKey={apiKey} isOpen={isOpen} onClose={close} onDeleted={onDeleted} />
    </Suspense>
  );
}
