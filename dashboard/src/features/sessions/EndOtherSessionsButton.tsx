import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../components/ConfirmModal.js';
import { notifyDone } from '../../components/notify.js';
import { sessionsQuery } from './sessions.js';

/** Ends all sessions but this one, as after a password has become known. */
export function EndOtherSessionsButton() {
  const [isOpen, modal] = useDisclosure(false);
  const queryClient = useQueryClient();
  return (
    <>
      <Button variant="default" onClick={modal.open}>
        End all others
      </Button>
      <ConfirmModal
        isOpen={isOpen}
        onClose={modal.close}
        title="End all other sessions?"
        actionLabel="End all others"
        action={() => unwrap(api.DELETE('/auth/sessions'))}
        onDone={() => {
          modal.close();
          notifyDone('Your other sessions have ended.');
          void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        }}
      >
        <Text size="sm">You stay signed in here. Everywhere else you have to sign in again.</Text>
      </ConfirmModal>
    </>
  );
}
