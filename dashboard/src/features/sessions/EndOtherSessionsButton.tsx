import { Button, Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { notifyDone } from '../../lib/notify.js';
import { useDialog } from '../../hooks/use-dialog.js';

/** Ends all sessions but this one, as after a password has become known. */
export function EndOtherSessionsButton() {
  const dialog = useDialog();
  return (
    <>
      <Button variant="default" onClick={() => dialog.open()}>
        End all others
      </Button>
      <ConfirmModal
        isOpen={dialog.isOpen}
        onClose={dialog.close}
        title="End all other sessions?"
        actionLabel="End all others"
        action={() => unwrap(api.DELETE('/auth/sessions'))}
        onDone={() => {
          dialog.close();
          notifyDone('Your other sessions have ended.');
          void refresh('sessions');
        }}
      >
        <Text size="sm">You stay signed in here. Everywhere else you have to sign in again.</Text>
      </ConfirmModal>
    </>
  );
}
