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

/** Signs out one of the user's devices, possibly this one. */
export function SignOutSessionButton({ session }: { session: Session }) {
  return session.isCurrent ? <SignOutCurrentButton /> : <SignOutOtherButton session={session} />;
}

function SignOutCurrentButton() {
  const { mutate, isPending, isSuccess } = useSignOut();
  return (
    <Button variant="default" size="xs" loading={isPending || isSuccess} onClick={() => mutate()}>
      Sign out
    </Button>
  );
}

function SignOutOtherButton({ session: { id, userAgent, address } }: { session: Session }) {
  const dialog = useDialog();
  const device = describeUserAgent(userAgent);
  return (
    <>
      <Button variant="default" size="xs" aria-label={`Sign out ${device}`} onClick={() => dialog.open()}>
        Sign out
      </Button>
      <ConfirmModal
        isOpen={dialog.isOpen}
        onClose={dialog.close}
        title="Sign out device?"
        actionLabel="Sign out"
        action={() => ignoreNotFound(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }))}
        onDone={() => {
          dialog.close();
          notifyDone('Device signed out.');
          void refresh('sessions');
        }}
      >
        <Text size="sm">
          {device} at {address} will be signed out immediately.
        </Text>
      </ConfirmModal>
    </>
  );
}
