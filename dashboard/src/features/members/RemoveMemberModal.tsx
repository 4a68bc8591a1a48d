import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { notifyDone } from '../../lib/notify.js';
import { useMe } from '../../session/me.js';
import { roleSubject } from '../../common/roles/assign/role-change.js';

interface RemoveMemberModalProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation, then removes a member. */
export function RemoveMemberModal({ member: { id, name, email }, isOpen, onClose }: RemoveMemberModalProps) {
  const { organization } = useMe();
  const finish = () => {
    onClose();
    notifyDone(`${name} removed.`, roleSubject({ id }));
    void refresh('members', 'roles');
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Remove ${name}?`}
      actionLabel="Remove member"
      action={() => unwrap(api.DELETE('/members/{id}', { params: { path: { id } } }))}
      onDone={finish}
    >
      <Text size="sm">
        <b>{email}</b> will lose access to {organization.name} immediately and need a new invitation to rejoin.
      </Text>
      <Text size="sm">API keys they created belong to the organization and will keep working.</Text>
    </ConfirmModal>
  );
}
