import { Text } from '@mantine/core';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { describePreviousSecret } from '../known-secrets.js';
import type { KeysChanged } from './BulkDialogs.js';
import { deleteKeys, describeOutcome, readAgain, revokePreviousSecrets, updateKeys } from './bulk-request.js';
import { describeRevoked } from './describe-rotation.js';
import { KeyNames } from './KeyNames.js';

/** What to do with the selected keys. */
export interface BulkAction {
  kind: keyof typeof kinds;
  keys: ListedApiKey[];
}

interface Kind {
  verb: string;
  /** Changes the keys, and returns what to say afterwards. */
  change: (keys: ListedApiKey[]) => Promise<string>;
}

const kinds = {
  enable: {
    verb: 'Enable',
    change: async (keys) => describeOutcome(await updateKeys(keys, { enabled: true }), keys.length, 'enabled'),
  },
  disable: {
    verb: 'Disable',
    change: async (keys) => describeRejected(await updateKeys(keys, { enabled: false }), keys.length, 'disabled'),
  },
  delete: {
    verb: 'Delete',
    change: async (keys) => describeRejected(await deleteKeys(keys), keys.length, 'deleted'),
  },
  revoke: {
    verb: 'Revoke previous secrets of',
    change: async (keys) => {
      await revokePreviousSecrets(keys);
      return describeRevoked(keys.map(({ name }) => name));
    },
  },
} satisfies Record<string, Kind>;

function describeRejected(count: number, requested: number, done: string): string {
  return `${describeOutcome(count, requested, done)} Requests using ${count === 1 ? 'it' : 'them'} are now rejected.`;
}

interface BulkModalProps {
  action: BulkAction;
  isOpen: boolean;
  onClose: () => void;
  onChanged: KeysChanged;
}

/** Asks before the selected keys are enabled, disabled or deleted, or lose their previous secrets, and lists all of them. */
export function BulkModal({ action: { kind, keys }, isOpen, onClose, onChanged }: BulkModalProps) {
  const { verb, change } = kinds[kind];
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
      action={async () => notifyDone(await change(keys))}
      onDone={() => {
        onClose();
        if (kind === 'delete') onChanged(keys, []);
        else void readAgain(keys).then((current) => onChanged(keys, current));
      }}
    >
      <KeyNames keys={keys} describe={kind === 'revoke' ? describePreviousSecret : undefined} />
      <Text size="sm">
        {kind === 'enable' && `Requests using ${them} will be accepted again.`}
        {kind === 'disable' &&
          `Anything using ${them} will stop working immediately, until you enable ${keys.length === 1 ? 'it' : 'them'} again.`}
        {kind === 'revoke' &&
          `Anything that still uses a previous secret of ${them} will stop working immediately. Current secrets keep working.`}
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
