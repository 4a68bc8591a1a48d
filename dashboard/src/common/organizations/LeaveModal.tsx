import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { notifyAfterReload } from '../../lib/notify.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { useMe } from '../../session/me.js';
import { session } from '../../session/session.js';

interface LeaveModalProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation, then removes the user from the current organization. */
export function LeaveModal({ isOpen, onClose }: LeaveModalProps) {
  const { organization } = useMe();
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Leave ${organization.name}?`}
      actionLabel="Leave organization"
      action={() => notifyAfterReload(`You left ${organization.name}.`, () => unwrap(api.DELETE('/members/me')))}
      onDone={() => session.restart()}
    >
      <Text size="sm">You'll lose access to {organization.name} immediately and need a new invitation to rejoin.</Text>
      <Text size="sm">API keys you created belong to the organization and will keep working.</Text>
    </ConfirmModal>
  );
}
