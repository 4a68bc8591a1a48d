import { Suspense } from 'react';
import { lazyComponent } from '../../../lib/lazy-component.js';
import type { Dialog } from '../../../hooks/use-dialog.js';
import type { ApiKeyAction } from '../key-actions.js';

// Lazy, because most visits don't change keys.
const dialogs = {
  rename: lazyComponent(() => import('./RenameKeyModal.js'), 'RenameKeyModal'),
  expiry: lazyComponent(() => import('./ChangeExpiryModal.js'), 'ChangeExpiryModal'),
  rotate: lazyComponent(() => import('./RotateKeyModal.js'), 'RotateKeyModal'),
  restrict: lazyComponent(() => import('../restrictions/RestrictKeyModal.js'), 'RestrictKeyModal'),
  disable: lazyComponent(() => import('../restrictions/DisableKeyModal.js'), 'DisableKeyModal'),
  enable: lazyComponent(() => import('../restrictions/EnableLeakedKeyModal.js'), 'EnableLeakedKeyModal'),
  leak: lazyComponent(() => import('./ReportLeakModal.js'), 'ReportLeakModal'),
  delete: lazyComponent(() => import('./DeleteKeyModal.js'), 'DeleteKeyModal'),
};

interface ApiKeyDialogsProps {
  dialog: Dialog<ApiKeyAction>;
  /** Called after the key is deleted, before the pages refetch. */
  onDeleted?: () => Promise<void>;
}

/** The dialogs of the actions of a key. */
export function ApiKeyDialogs({ dialog: { subject, isOpen, close }, onDeleted }: ApiKeyDialogsProps) {
  if (subject === undefined) return null;
  const { kind, apiKey } = subject;
  const ActionModal = dialogs[kind];
  return (
    <Suspense>
      {/* The key keeps input, and a new secret, from the dialog of another API key that still fades out. */}
      <ActionModal key={apiKey.id} apiKey={apiKey} isOpen={isOpen} onClose={close} onDeleted={onDeleted} />
    </Suspense>
  );
}
