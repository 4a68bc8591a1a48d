import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ServiceError } from '../../../api/service-error.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { CenteredCard } from '../../../ui/CenteredCard.js';

interface InvitationProblemProps {
  error: Error;
  onRetry: () => void;
}

/** Explains why an invitation can't be accepted. */
export function InvitationProblem({ error, onRetry }: InvitationProblemProps) {
  const code = error instanceof ServiceError ? error.code : undefined;
  if (code === 'invitation-expired') {
    return (
      <CenteredCard title="This invitation has expired">
        <Text size="sm">Ask the person who invited you for a new link.</Text>
      </CenteredCard>
    );
  }
  if (code === 'not-found') {
    return (
      <CenteredCard title="Invitation no longer valid">
        <Text size="sm">
          It was already accepted, withdrawn or replaced by a newer one. If you accepted it,{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
            sign in
          </Anchor>
          . Otherwise, ask for a new link.
        </Text>
      </CenteredCard>
    );
  }
  return (
    <CenteredCard title="Your invitation">
      <ErrorAlert error={error} onRetry={onRetry} />
    </CenteredCard>
  );
}
