import { List, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { ignoreNotFound, unwrap } from '../../../api/service-error.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { BulkError, changeEach } from './bulk-changes.js';

/** What to do with the selected keys. */
export interface BulkAction {
  kind: keyof typeof kinds;
  keys: ListedApiKey[];
}

const maxNames = 10;

const update = (id: string, enabled: boolean) =>
  unwrap(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body: { enabled } }));
const remove = (id: string) => ignoreNotFound(api.DELETE('/api-keys/{id}', { params: { path: { id } } }));

const kinds = {
  enable: { verb: 'Enable', done: 'enabled', change: (id: string) => update(id, true) },
  disable: { verb: 'Disable', done: 'disabled', change: (id: string) => update(id, false) },
  delete: { verb: 'Delete', done: 'deleted', change: remove },
};

interface BulkModalProps {
  action: BulkAction;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before the selected keys are enabled, disabled or deleted. After failures, it tries again only for those keys. */
export function BulkModal({ action: { kind, keys }, isOpen, onClose, onDone }: BulkModalProps) {
  const [failed, setFailed] = useState<{ of: ListedApiKey[]; ids: string[] }>();
  const { verb, done, change } = kinds[kind];
  const count = pluralize(keys.length, 'key');
  const run = async () => {
    try {
      const remaining = failed?.of === keys ? keys.filter(({ id }) => failed.ids.includes(id)) : keys;
      await changeEach(remaining, done, async ({ id }) => void (await change(id)));
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
    const outcome = kind === 'enable' ? '' : ` Requests using ${keys.length === 1 ? 'it' : 'them'} are now rejected.`;
    notifyDone(`${count} ${done}.${outcome}`);
  };
  const label = `${verb} ${count}`;
  const them = keys.length === 1 ? 'this key' : 'these keys';
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={label}
      actionLabel={label}
      nameToType={kind === 'delete' ? label.toLowerCase() : undefined}
      isDestructive={kind !== 'enable'}
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
        {kind === 'enable' && `Requests using ${them} will be accepted again.`}
        {kind === 'disable' &&
          `Anything using ${them} will stop working immediately, until you enable ${keys.length === 1 ? 'it' : 'them'} again.`}
        {kind === 'delete' && `Anything using ${them} will stop working immediately. You can't undo this.`}
      </Text>
    </ConfirmModal>
  );
}
