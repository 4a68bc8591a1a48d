import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { KeyRemovalFields } from '../../common/api-keys/removal/KeyRemovalFields.js';
import { useKeyRemoval } from '../../common/api-keys/removal/use-key-removal.js';
import { roleSubject } from '../../common/roles/assign/role-change.js';
import { notifyDone } from '../../lib/notify.js';
import { useMe } from '../../session/me.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';

interface RemoveMemberModalProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}

/** Lists the keys that a member created, asks what should happen to them, then removes the member. */
export function RemoveMemberModal({ member, isOpen, onClose }: RemoveMemberModalProps) {
  const { id, userId, name, email } = member;
  const { organization } = useMe();
  const removal = useKeyRemoval(userId, isOpen);
  const { chosen, describeDone } = removal;
  const finish = () => {
    onClose();
    notifyDone(`${name} removed${describeDone()}.`, roleSubject({ id }));
    // Lists of keys say which secrets the former member knows.
    void refresh('members', 'roles', 'api-keys', ...(chosen === 'keep' ? [] : (['usage'] as const)));
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Remove ${name}?`}
      actionLabel="Remove member"
      nameToType={chosen === 'delete' ? name : undefined}
      action={() => unwrap(api.DELETE('/members/{id}', { params: { path: { id }, query: { keys: chosen } } }))}
      onDone={finish}
    >
      <Text size="sm">
        <b>{email}</b> will lose access to {organization.name} immediately and need a new invitation to rejoin.
      </Text>
      <KeyRemovalFields removal={removal} name={name} pronoun="They" />
    </ConfirmModal>
  );
}
