import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { unwrap } from '../../../api/service-error.js';
import { notifyDone } from '../../../lib/notify.js';
import { RenameModal } from '../../../ui/RenameModal.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { SameNameHint } from './SameNameHint.js';

interface RenameKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Renames a key. */
export function RenameKeyModal({ apiKey: { id, name: currentName }, isOpen, onClose }: RenameKeyModalProps) {
  const rename = async (name: string) => {
    await unwrap(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body: { name } }));
    await refresh('api-keys');
    notifyDone(`Key renamed to ${name}.`);
  };
  return (
    <RenameModal
      title="Rename key"
      description="The key itself doesn't change."
      nameHint={(name) => <SameNameHint name={name} id={id} />}
      {...{ isOpen, onClose, currentName, rename }}
    />
  );
}
