import { Stack, Text } from '@mantine/core';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { minuteTime } from '../../../lib/format-time.js';
import { FormModal } from '../../../ui/FormModal.js';
import { BulkExpiryForm } from './BulkExpiryForm.js';
import { BulkLimitsForm } from './BulkLimitsForm.js';
import { BulkTagsForm } from './BulkTagsForm.js';
import { KeyNames } from './KeyNames.js';

/** What to change about the selected keys. */
export interface BulkEdit {
  kind: keyof typeof kinds;
  keys: ListedApiKey[];
}

/** Props of a form that changes keys. */
export interface BulkFormProps {
  keys: ListedApiKey[];
  onSaved: () => void;
}

const kinds = {
  expiry: {
    title: 'Change expiry',
    Form: BulkExpiryForm,
    effect: 'Replaces the expiry of each key.',
    describe: ({ expiresAt }: ListedApiKey) =>
      expiresAt === undefined ? 'Never expires' : `Expires ${minuteTime(expiresAt)}`,
  },
  tags: {
    title: 'Change tags',
    Form: BulkTagsForm,
    effect: 'Other tags of the keys stay.',
    describe: ({ tags = [] }: ListedApiKey) => tags.join(', '),
  },
  limits: {
    title: 'Change limits',
    Form: BulkLimitsForm,
    effect: 'Replaces all present limits of each key by the ones below. Without any, removes them.',
    describe: undefined,
  },
};

interface BulkEditModalProps {
  action: BulkEdit;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Lists the selected keys and changes their expiry, tags or limits. */
export function BulkEditModal({ action: { kind, keys }, isOpen, onClose, onDone }: BulkEditModalProps) {
  const { title, effect, Form, describe } = kinds[kind];
  return (
    <FormModal isOpen={isOpen} onClose={onClose} title={`${title} of ${pluralize(keys.length, 'key')}`} size="lg">
      <Stack>
        <KeyNames keys={keys} describe={describe} />
        <Text size="sm">{effect}</Text>
        <Form
          keys={keys}
          onSaved={() => {
            onClose();
            onDone();
          }}
        />
      </Stack>
    </FormModal>
  );
}
