import { Button, Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Session } from '../../api/schema.js';
import { ignoreNotFound } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { describeUserAgent } from '../../lib/describe-user-agent.js';
import { notifyDone } from '../../lib/notify.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useSignOut } from '../../session/use-sign-out.js';

/** Ends a session; ending the current one is signing out. */
export function EndSessionButton({ session }: { session: Session }) {
  return session.isCurrent ? <SignOutButton /> : <EndOtherButton session={session} />;
}

function SignOutButton() {
  const { mutate, isPending, isSuccess } = useSignOut();
  return (
    <Button variant="default" size="xs" loading={isPending || isSuccess} onClick={() => mutate()}>
      Sign out
    </Button>
  );
}

function EndOtherButton({ session: { id, userAgent, address } }: { session: Session }) {
  const dialog = useDialog();
  const program = describeUserAgent(userAgent);
  return (
    <>
      <Button variant="default" size="xs" aria-label={`End the session of ${program}`} onClick={() => dialog.open()}>
        End
      </Button>
      <ConfirmModal
        isOpen={dialog.isOpen}
        onClose={dialog.close}
        title="End this session?"
        actionLabel="End session"
        action={() => ignoreNotFound(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }))}
        onDone={() => {
          dialog.close();
          notifyDone('The session has ended.');
          void refresh('sessions');
        }}
      >
        <Text size="sm">
          {program} at {address} is signed out at once. Whoever uses it has to sign in again.
        </Text>
      </ConfirmModal>
    </>
  );
}
