import { Text } from '@mantine/core';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { enabledSubject, type ListedApiKey, setEnabled } from '../../../common/api-keys/api-keys.js';

interface EnableLeakedKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a key whose secret leaked is enabled. */
export function EnableLeakedKeyModal({ apiKey: { id, name }, isOpen, onClose }: EnableLeakedKeyModalProps) {
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Enable leaked key"
      actionLabel="Enable anyway"
      action={() => setEnabled(id, true)}
      onDone={() => {
        onClose();
        notifyDone(`${name} enabled. Its leaked secret works again.`, enabledSubject(id));
      }}
    >
      <Text size="sm">
        A secret of {name} leaked, and it will work again. To revoke it, rotate the key before you enable it.
      </Text>
    </ConfirmModal>
  );
}
