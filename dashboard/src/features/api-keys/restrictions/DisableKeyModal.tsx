import { Text } from '@mantine/core';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { enabledSubject, type ListedApiKey, setEnabled } from '../../../common/api-keys/api-keys.js';

interface DisableKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a key is disabled. */
export function DisableKeyModal({ apiKey: { id, name }, isOpen, onClose }: DisableKeyModalProps) {
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Disable key"
      actionLabel="Disable key"
      action={() => setEnabled(id, false)}
      onDone={() => {
        onClose();
        notifyDone(`${name} disabled. Requests using it are now rejected.`, enabledSubject(id));
      }}
    >
      <Text size="sm">Anything using {name} will stop working immediately, until you enable it again.</Text>
    </ConfirmModal>
  );
}
