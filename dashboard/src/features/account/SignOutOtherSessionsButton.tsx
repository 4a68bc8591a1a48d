import { Button, Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { notifyDone } from '../../lib/notify.js';
import { useDialog } from '../../hooks/use-dialog.js';

/** Signs the user out on all other devices. */
export function SignOutOtherSessionsButton() {
  const dialog = useDialog();
  return (
    <>
      <Button variant="default" onClick={() => dialog.open()}>
        Sign out all other devices
      </Button>
      <ConfirmModal
        isOpen={dialog.isOpen}
        onClose={dialog.close}
        title="Sign out all other devices?"
        actionLabel="Sign out all"
        action={() => unwrap(api.DELETE('/auth/sessions'))}
        onDone={() => {
          dialog.close();
          notifyDone('All other devices signed out.');
          void refresh('sessions');
        }}
      >
        <Text size="sm">You'll be signed out everywhere else.</Text>
      </ConfirmModal>
    </>
  );
}
