import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CenteredCard } from '../../layout/CenteredCard.js';
import { session } from '../../session/session.js';

/** Where single sign-on ends that was begun in a tab of its own: the work goes on in the tab it was begun from. */
export function SignedInPage() {
  useEffect(() => {
    session.announce();
    // Browsers allow it unless the person has gone through several pages, as of an identity provider.
    window.close();
  }, []);
  return (
    <CenteredCard title="You are signed in">
      <Text size="sm">
        Your work goes on in the other tab. You can close this one, or go to the{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/dashboard" {...props} />}>
          start of the dashboard
        </Anchor>
        .
      </Text>
    </CenteredCard>
  );
}
