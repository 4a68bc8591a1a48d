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

/** Asks before an invitation is withdrawn. */
export function WithdrawInvitationModal({ invitation: { id, email }, isOpen, onClose }: WithdrawInvitationModalProps) {
  const finish = () => {
    onClose();
    notifyDone('The invitation was withdrawn.');
    void refresh('invitations');
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
        The link that <b>{email}</b> was given stops working at once. You can invite them again whenever you like.
      </Text>
    </ConfirmModal>
  );
}
