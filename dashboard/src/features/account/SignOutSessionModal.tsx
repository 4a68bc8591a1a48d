import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Session } from '../../api/schema.js';
import { ignoreNotFound } from '../../api/service-error.js';
import { describeUserAgent } from '../../lib/describe-user-agent.js';
import { notifyDone } from '../../lib/notify.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';

interface SignOutSessionModalProps {
  session: Session;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation, then signs out another device of the user. */
export function SignOutSessionModal({ session, isOpen, onClose }: SignOutSessionModalProps) {
  const { id, userAgent, address } = session;
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Sign out device?"
      actionLabel="Sign out"
      action={() => ignoreNotFound(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }))}
      onDone={() => {
        onClose();
        notifyDone('Device signed out.');
        void refresh('sessions');
      }}
    >
      <Text size="sm">
        {describeUserAgent(userAgent)} at {address} will be signed out immediately.
      </Text>
    </ConfirmModal>
  );
}
