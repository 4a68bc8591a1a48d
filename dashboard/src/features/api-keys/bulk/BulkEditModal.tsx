import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { FormModal } from '../../../ui/FormModal.js';
import { readAgain } from './bulk-request.js';
import type { KeysChanged } from './BulkDialogs.js';
import { BulkExpiryForm } from './BulkExpiryForm.js';
import { BulkLimitsForm } from './BulkLimitsForm.js';
import { BulkTagsForm } from './BulkTagsForm.js';

/** What to change about the selected keys. */
export interface BulkEdit {
  kind: keyof typeof kinds;
  keys: ListedApiKey[];
}

/** Props of a form that lists keys with their current settings, and changes these. */
export interface BulkFormProps {
  keys: ListedApiKey[];
  onSaved: () => void;
}

const kinds = {
  expiry: { title: 'Change expiry', Form: BulkExpiryForm },
  tags: { title: 'Change tags', Form: BulkTagsForm },
  limits: { title: 'Change limits', Form: BulkLimitsForm },
};

interface BulkEditModalProps {
  action: BulkEdit;
  isOpen: boolean;
  onClose: () => void;
  onChanged: KeysChanged;
}

/** Changes the expiry, tags or limits of the selected keys. */
export function BulkEditModal({ action: { kind, keys }, isOpen, onClose, onChanged }: BulkEditModalProps) {
  const { title, Form } = kinds[kind];
  return (
    <FormModal isOpen={isOpen} onClose={onClose} title={`${title} of ${pluralize(keys.length, 'key')}`} size="lg">
      <Form
        keys={keys}
        onSaved={() => {
          onClose();
          void readAgain(keys).then((current) => onChanged(keys, current));
        }}
      />
    </FormModal>
  );
}
