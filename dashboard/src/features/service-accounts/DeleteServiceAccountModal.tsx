import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ServiceAccount } from '../../api/schema.js';
import { ignoreNotFound, unwrap } from '../../api/service-error.js';
import { KeyRemovalFields } from '../../common/api-keys/removal/KeyRemovalFields.js';
import { useKeyRemoval } from '../../common/api-keys/removal/use-key-removal.js';
import { roleSubject } from '../../common/roles/assign/role-change.js';
import { notifyDone } from '../../lib/notify.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';

interface DeleteServiceAccountModalProps {
  account: ServiceAccount;
  isOpen: boolean;
  onClose: () => void;
}

/** Lists the keys that a service account created, asks what should happen to them, then deletes the account. */
export function DeleteServiceAccountModal({ account, isOpen, onClose }: DeleteServiceAccountModalProps) {
  const { id, name } = account;
  const removal = useKeyRemoval(id, isOpen);
  const { chosen, describeDone } = removal;
  const remove = () => {
    const request = api.DELETE('/service-accounts/{id}', { params: { path: { id }, query: { keys: chosen } } });
    // If someone else has deleted the account, its keys are still there.
    return chosen === 'keep' ? ignoreNotFound(request) : unwrap(request);
  };
  const finish = () => {
    onClose();
    notifyDone(`${name} deleted${describeDone()}. Its requests are now rejected.`, roleSubject(account));
    // Lists of keys say which secrets the deleted service account knows.
    void refresh('service-accounts', 'roles', 'api-keys', ...(chosen === 'keep' ? [] : (['usage'] as const)));
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Delete service account"
      actionLabel="Delete service account"
      nameToType={name}
      action={remove}
      onDone={finish}
    >
      <Text size="sm">
        Anything using this service account will stop working immediately. You can&apos;t undo this.
      </Text>
      <KeyRemovalFields removal={removal} name={name} pronoun="It" />
    </ConfirmModal>
  );
}
