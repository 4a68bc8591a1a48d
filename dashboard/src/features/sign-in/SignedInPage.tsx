import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CenteredCard } from '../../ui/CenteredCard.js';
import { session } from '../../session/session.js';

/** Last page of a single sign-on in a new tab. The user continues in the original tab. */
export function SignedInPage() {
  useEffect(() => {
    session.announce();
    // Browsers ignore this if the tab has a history of several pages, such as pages of an identity provider.
    window.close();
  }, []);
  return (
    <CenteredCard title="You're signed in">
      <Text size="sm">
        You can close this tab and continue in the other one, or{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/dashboard" {...props} />}>
          go to the dashboard
        </Anchor>
        .
      </Text>
    </CenteredCard>
  );
}
