import { Button, getDefaultZIndex, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../../query-client.js';
import { meQuery } from '../../session/me.js';
import { session } from '../../session/session.js';
import { SignInForm } from './SignInForm.js';

/** Shown over the page when the session has ended. Signing in keeps the state of the page. */
export function SignInAgain() {
  const [email] = useState(() => queryClient.getQueryData(meQuery.queryKey)?.user.email);
  return (
    <Modal
      opened
      zIndex={getDefaultZIndex('max')}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      centered
    >
      <Text size="sm" c="dimmed" mb="md">
        Sign in to pick up where you left off.
      </Text>
      <SignInForm
        email={email}
        returnTo="/dashboard/signed-in"
        keepsPage
        onSignedIn={() => queryClient.invalidateQueries()}
      />
      <Button variant="subtle" fullWidth mt="xs" onClick={() => session.forget()}>
        Use another account
      </Button>
    </Modal>
  );
}
