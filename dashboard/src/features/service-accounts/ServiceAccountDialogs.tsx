import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ServiceAccount } from '../../api/schema.js';
import { ignoreNotFound, unwrap } from '../../api/service-error.js';
import type { Dialog } from '../../hooks/use-dialog.js';
import { minuteTime } from '../../lib/format-time.js';
import { notifyDone } from '../../lib/notify.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { RenameModal } from '../../ui/RenameModal.js';
import { DeleteServiceAccountModal } from './DeleteServiceAccountModal.js';
import { RotateSecretModal } from './RotateSecretModal.js';

/** An action the user chose for a service account. */
export interface ServiceAccountAction {
  kind: keyof typeof dialogs;
  account: ServiceAccount;
}

interface ServiceAccountModalProps {
  account: ServiceAccount;
  isOpen: boolean;
  onClose: () => void;
}

const dialogs = {
  rename: RenameServiceAccountModal,
  rotate: RotateSecretModal,
  revoke: RevokePreviousSecretModal,
  delete: DeleteServiceAccountModal,
};

/** The dialogs of the actions for a service account. */
export function ServiceAccountDialogs({ dialog }: { dialog: Dialog<ServiceAccountAction> }) {
  const { subject, isOpen, close } = dialog;
  if (subject === undefined) return null;
  const { kind, account } = subject;
  const ActionModal = dialogs[kind];
  // The key keeps input, and a new secret, from the dialog of another account that still fades out.
  return <ActionModal key={account.id} account={account} isOpen={isOpen} onClose={close} />;
}

function RenameServiceAccountModal({ account: { id, name }, isOpen, onClose }: ServiceAccountModalProps) {
  const rename = async (newName: string) => {
    await unwrap(api.PATCH('/service-accounts/{id}', { params: { path: { id } }, body: { name: newName } }));
    await refresh('service-accounts');
    notifyDone(`Service account renamed to ${newName}.`);
  };
  return (
    <RenameModal
      isOpen={isOpen}
      onClose={onClose}
      title="Rename service account"
      description="Its client ID and client secret don't change."
      currentName={name}
      rename={rename}
    />
  );
}

function RevokePreviousSecretModal({ account, isOpen, onClose }: ServiceAccountModalProps) {
  const { id, previousSecretExpiresAt } = account;
  const path = { path: { id } };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Revoke the previous client secret?"
      actionLabel="Revoke now"
      action={() => ignoreNotFound(api.DELETE('/service-accounts/{id}/previous-secret', { params: path }))}
      onDone={() => {
        onClose();
        notifyDone('Previous client secret revoked. Requests using it are now rejected.');
        void refresh('service-accounts');
      }}
    >
      <Text size="sm">
        {previousSecretExpiresAt !== undefined && `It works until ${minuteTime(previousSecretExpiresAt)}. `}
        Anything that still uses it will stop working immediately.
      </Text>
    </ConfirmModal>
  );
}
