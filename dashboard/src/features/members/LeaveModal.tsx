import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import type { Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { useMe } from '../../session/me.js';
import { session } from '../../session/session.js';

interface LeaveModalProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before people leave the organization that they are working in. */
export function LeaveModal({ member: { id }, isOpen, onClose }: LeaveModalProps) {
  const { organization } = useMe();
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Leave ${organization.name}?`}
      actionLabel="Leave organization"
      action={() => unwrap(api.DELETE('/members/{id}', { params: { path: { id } } }))}
      onDone={() => session.restart()}
    >
      <Text size="sm">
        You lose all access to {organization.name} at once, and need an invitation to come back. The API keys you have
        created belong to the organization and keep working.
      </Text>
    </ConfirmModal>
  );
}
