import { Alert, Anchor, Text } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../session/me.js';

const storageKey = 'keycard.seen-password-removal';

/** Explains why the account's password was removed, until the user dismisses it in this browser. */
export function PasswordRemovedAlert() {
  const { passwordRemovedAt } = useMe().user;
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(storageKey));
  if (passwordRemovedAt === null || passwordRemovedAt === dismissed) return null;
  const dismiss = () => {
    localStorage.setItem(storageKey, passwordRemovedAt);
    setDismissed(passwordRemovedAt);
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
        It was set before your identity provider confirmed your email, so someone else may have chosen it. We signed out
        all devices that used it and withdrew the invitations sent from this account. Check{' '}
        <Anchor
          size="sm"
          c="inherit"
          underline="always"
          renderRoot={(props) => <Link to="/dashboard/organization" {...props} />}
        >
          your organizations
        </Anchor>
        , and don&apos;t use any you don&apos;t recognize. Use single sign-on to sign in from now on.
      </Text>
    </Alert>
  );
}
