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

type BulkDialogsProps = ReturnType<typeof useBulkDialogs> & {
  /** Called after the keys were changed. */
  onDone: () => void;
};

/** Loads the dialogs that change selected keys when they are opened. */
export function BulkDialogs({ action, edit, rotation, onDone }: BulkDialogsProps) {
  return (
    <Suspense>
      {action.subject !== undefined && (
        <BulkModal action={action.subject} isOpen={action.isOpen} onClose={action.close} onDone={onDone} />
      )}
      {edit.subject !== undefined && (
        <BulkEditModal action={edit.subject} isOpen={edit.isOpen} onClose={edit.close} onDone={onDone} />
      )}
      {rotation.subject !== undefined && (
        <BulkRotateModal keys={rotation.subject} isOpen={rotation.isOpen} onClose={rotation.close} onDone={onDone} />
      )}
    </Suspense>
  );
}
