import { Text } from '@mantine/core';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { enabledSubject, type ListedApiKey, setEnabled } from '../api-keys.js';

interface DisableKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a key is disabled, or enabled again. */
export function DisableKeyModal({ apiKey: { id, name, enabled }, isOpen, onClose }: DisableKeyModalProps) {
  const isDisabled = enabled === false;
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={isDisabled ? 'Enable key' : 'Disable key'}
      actionLabel={isDisabled ? 'Enable key' : 'Disable key'}
      isDestructive={!isDisabled}
      action={() => setEnabled(id, isDisabled)}
      onDone={() => {
        onClose();
        const message = isDisabled ? `${name} enabled.` : `${name} disabled. Requests using it are now rejected.`;
        notifyDone(message, enabledSubject(id));
      }}
    >
      <Text size="sm">
        {isDisabled
          ? `Requests using ${name} will be accepted again.`
          : `Anything using ${name} will stop working immediately, until you enable it again.`}
      </Text>
    </ConfirmModal>
  );
}
