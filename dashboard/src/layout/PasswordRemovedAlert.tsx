import { Alert, Anchor, Text } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../session/me.js';

const storageKey = 'keycard.seen-password-removal';

/** Explains why an account has lost its password, until the user dismisses it in this browser. */
export function PasswordRemovedAlert() {
  const { passwordRemovedAt } = useMe().user;
  const [seen, setSeen] = useState(() => localStorage.getItem(storageKey));
  if (passwordRemovedAt === null || passwordRemovedAt === seen) return null;
  const dismiss = () => {
    localStorage.setItem(storageKey, passwordRemovedAt);
    setSeen(passwordRemovedAt);
  };
  return (
    <Alert
      color="orange"
      icon={<IconShieldLock />}
      mb="md"
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={dismiss}
    >
      <Text size="sm" fw={600}>
        Your account&apos;s password was removed
      </Text>
      <Text size="sm">
        It was set before your identity provider confirmed that this email is yours, so it may not have been you. The
        devices it signed in are signed out, and invitations sent from this account are withdrawn. Check{' '}
        <Anchor
          size="sm"
          c="inherit"
          underline="always"
          renderRoot={(props) => <Link to="/dashboard/organization" {...props} />}
        >
          your organizations
        </Anchor>
        , and don&apos;t use any you don&apos;t recognize. From now on, sign in with single sign-on.
      </Text>
    </Alert>
  );
}
