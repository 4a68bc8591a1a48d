import { Text } from '@mantine/core';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import type { KeysChanged } from './BulkDialogs.js';
import { deleteKeys, describeOutcome, readAgain, updateKeys } from './bulk-request.js';
import { KeyNames } from './KeyNames.js';

/** What to do with the selected keys. */
export interface BulkAction {
  kind: keyof typeof kinds;
  keys: ListedApiKey[];
}

const kinds = {
  enable: { verb: 'Enable', done: 'enabled', change: (keys: ListedApiKey[]) => updateKeys(keys, { enabled: true }) },
  disable: {
    verb: 'Disable',
    done: 'disabled',
    change: (keys: ListedApiKey[]) => updateKeys(keys, { enabled: false }),
  },
  delete: { verb: 'Delete', done: 'deleted', change: deleteKeys },
};

interface BulkModalProps {
  action: BulkAction;
  isOpen: boolean;
  onClose: () => void;
  onChanged: KeysChanged;
}

/** Asks before the selected keys are enabled, disabled or deleted, and lists all of them. */
export function BulkModal({ action: { kind, keys }, isOpen, onClose, onChanged }: BulkModalProps) {
  const { verb, done, change } = kinds[kind];
  const run = async () => {
    const count = await change(keys);
    const outcome = kind === 'enable' ? '' : ` Requests using ${count === 1 ? 'it' : 'them'} are now rejected.`;
    notifyDone(`${describeOutcome(count, keys.length, done)}${outcome}`);
  };
  const label = `${verb} ${pluralize(keys.length, 'key')}`;
  const leaked = kind === 'enable' ? keys.filter(({ leakedAt }) => leakedAt !== undefined) : [];
  const them = keys.length === 1 ? 'this key' : 'these keys';
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={label}
      actionLabel={label}
      nameToType={kind === 'delete' ? label.toLowerCase() : undefined}
      isDestructive={kind !== 'enable' || leaked.length > 0}
      action={run}
      onDone={() => {
        onClose();
        if (kind === 'delete') onChanged(keys, []);
        else void readAgain(keys).then((current) => onChanged(keys, current));
      }}
    >
      <KeyNames keys={keys} />
      <Text size="sm">
        {kind === 'enable' && `Requests using ${them} will be accepted again.`}
        {kind === 'disable' &&
          `Anything using ${them} will stop working immediately, until you enable ${keys.length === 1 ? 'it' : 'them'} again.`}
        {kind === 'delete' && `Anything using ${them} will stop working immediately. You can't undo this.`}
      </Text>
      {leaked.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {describeLeaked(leaked.length)}
        </Text>
      )}
    </ConfirmModal>
  );
}

function describeLeaked(count: number): string {
  const [secrets, keys] = count === 1 ? ['Its secret', 'key'] : ['Their secrets', 'keys'];
  return `${pluralize(count, 'key')} leaked. ${secrets} will work again unless you rotate the ${keys} first.`;
}
