import { useState } from 'react';
import type { BulkRotatedApiKeys } from '../../../api/schema.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { NewSecretModal } from '../../../ui/NewSecretModal.js';
import { readAgain } from './bulk-request.js';
import type { KeysChanged } from './BulkDialogs.js';
import { BulkRotateForm } from './BulkRotateForm.js';
import { RotatedKeys } from './RotatedKeys.js';

interface BulkRotateModalProps {
  keys: ListedApiKey[];
  isOpen: boolean;
  onClose: () => void;
  onChanged: KeysChanged;
}

/** Lists the selected keys, gives them new secrets and shows these once. */
export function BulkRotateModal({ keys: selected, isOpen, onClose, onChanged }: BulkRotateModalProps) {
  const [leftOut, setLeftOut] = useState<readonly ListedApiKey[]>([]);
  const keys = selected.filter(({ id }) => !leftOut.some((key) => key.id === id));
  const close = () => {
    setLeftOut([]);
    onClose();
  };
  return (
    <NewSecretModal<BulkRotatedApiKeys>
      isOpen={isOpen}
      onClose={close}
      title={`Rotate ${pluralize(keys.length, 'key')}`}
      savedTitle="Save your keys"
      form={(issue) => (
        <BulkRotateForm
          keys={keys}
          onLeaveOut={(others) => {
            if (others.length === keys.length) close();
            else setLeftOut([...leftOut, ...others]);
          }}
          issue={issue}
        />
      )}
      secret={(rotated, onSaved) => <RotatedKeys keys={keys} rotated={rotated} onSaved={onSaved} />}
      onSaved={() => void readAgain(selected).then((current) => onChanged(selected, current))}
    />
  );
}
