import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Invitation } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { notifyDone } from '../../lib/notify.js';

interface WithdrawInvitationModalProps {
  invitation: Invitation;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation, then withdraws an invitation. */
export function WithdrawInvitationModal({ invitation: { id, email }, isOpen, onClose }: WithdrawInvitationModalProps) {
  const finish = () => {
    onClose();
    notifyDone('Invitation withdrawn.');
    void refresh('invitations', 'roles');
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Withdraw invitation?"
      actionLabel="Withdraw invitation"
      action={() => unwrap(api.DELETE('/invitations/{id}', { params: { path: { id } } }))}
      onDone={finish}
    >
      <Text size="sm">
        The link for <b>{email}</b> will stop working immediately. You can invite them again later.
      </Text>
    </ConfirmModal>
  );
}
