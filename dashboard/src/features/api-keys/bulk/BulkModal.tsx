import { List, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { ignoreNotFound, unwrap } from '../../../api/service-error.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import type { ListedApiKey } from '../api-keys.js';
import { BulkError, changeEach } from './bulk-changes.js';

/** What to do with the selected keys. */
export interface BulkAction {
  kind: 'disable' | 'delete';
  keys: ListedApiKey[];
}

const maxNames = 10;

const disable = (id: string) =>
  unwrap(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body: { enabled: false } }));
const remove = (id: string) => ignoreNotFound(api.DELETE('/api-keys/{id}', { params: { path: { id } } }));

interface BulkModalProps {
  action: BulkAction;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before the selected keys are disabled or deleted. After failures, it tries again only for those keys. */
export function BulkModal({ action: { kind, keys }, isOpen, onClose, onDone }: BulkModalProps) {
  const [failed, setFailed] = useState<{ of: ListedApiKey[]; ids: string[] }>();
  const isDeletion = kind === 'delete';
  const done = isDeletion ? 'deleted' : 'disabled';
  const count = pluralize(keys.length, 'key');
  const run = async () => {
    try {
      const remaining = failed?.of === keys ? keys.filter(({ id }) => failed.ids.includes(id)) : keys;
      await changeEach(remaining, done, async ({ id }) => void (await (isDeletion ? remove(id) : disable(id))));
    } catch (error) {
      if (error instanceof BulkError) setFailed({ of: keys, ids: error.failedIds });
      throw error;
    } finally {
      void refresh('api-keys', 'usage');
    }
  };
  const finish = () => {
    onClose();
    onDone();
    notifyDone(`${count} ${done}. Requests using ${keys.length === 1 ? 'it' : 'them'} are now rejected.`);
  };
  const label = `${isDeletion ? 'Delete' : 'Disable'} ${count}`;
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={label}
      actionLabel={label}
      nameToType={isDeletion ? label.toLowerCase() : undefined}
      action={run}
      onDone={finish}
    >
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {keys.slice(0, maxNames).map(({ id, name }) => (
          <List.Item key={id}>{name}</List.Item>
        ))}
      </List>
      {keys.length > maxNames && <Text size="sm">and {keys.length - maxNames} more</Text>}
      <Text size="sm">
        Anything using {keys.length === 1 ? 'this key' : 'these keys'} will stop working immediately
        {isDeletion ? ". You can't undo this." : ', until you enable them again.'}
      </Text>
    </ConfirmModal>
  );
}
