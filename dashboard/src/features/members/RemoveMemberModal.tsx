import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { notifyDone } from '../../lib/notify.js';
import { useMe } from '../../session/me.js';

interface RemoveMemberModalProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before somebody is removed from the organization. */
export function RemoveMemberModal({ member: { id, name, email, role }, isOpen, onClose }: RemoveMemberModalProps) {
  const { organization } = useMe();
  const finish = () => {
    onClose();
    notifyDone(`${name} is no longer a member.`);
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
        <b>{email}</b> loses all access to {organization.name} at once, and with it the role {role.name}. To come back
        they need a new invitation.
      </Text>
      <Text size="sm">The API keys they have created belong to {organization.name} and keep working.</Text>
    </ConfirmModal>
  );
}
