import { Suspense } from 'react';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { lazyComponent } from '../../../lib/lazy-component.js';
import type { BulkEdit } from './BulkEditModal.js';
import type { BulkAction } from './BulkModal.js';

const BulkModal = lazyComponent(() => import('./BulkModal.js'), 'BulkModal');
const BulkEditModal = lazyComponent(() => import('./BulkEditModal.js'), 'BulkEditModal');
const BulkRotateModal = lazyComponent(() => import('./BulkRotateModal.js'), 'BulkRotateModal');

/** The dialogs that change selected keys. */
export function useBulkDialogs() {
  return { action: useDialog<BulkAction>(), edit: useDialog<BulkEdit>(), rotation: useDialog<ListedApiKey[]>() };
}

/** Called with keys that were changed as they were, and as they are now. Deleted ones are only among the first. */
export type KeysChanged = (keys: readonly ListedApiKey[], current: readonly ListedApiKey[]) => void;

type BulkDialogsProps = ReturnType<typeof useBulkDialogs> & { onChanged: KeysChanged };

/** Loads the dialogs that change selected keys when they are opened. */
export function BulkDialogs({ action, edit, rotation, onChanged }: BulkDialogsProps) {
  return (
    <Suspense>
      {action.subject !== undefined && (
        <BulkModal action={action.subject} isOpen={action.isOpen} onClose={action.close} onChanged={onChanged} />
      )}
      {edit.subject !== undefined && (
        <BulkEditModal action={edit.subject} isOpen={edit.isOpen} onClose={edit.close} onChanged={onChanged} />
      )}
      {rotation.subject !== undefined && (
        <BulkRotateModal
          keys={rotation.subject}
          isOpen={rotation.isOpen}
          onClose={rotation.close}
          onChanged={onChanged}
        />
      )}
    </Suspense>
  );
}
