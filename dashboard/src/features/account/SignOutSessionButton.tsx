import { Button } from '@mantine/core';
import type { Session } from '../../api/schema.js';
import { describeUserAgent } from '../../lib/describe-user-agent.js';
import { useSignOut } from '../../session/use-sign-out.js';

interface SignOutSessionButtonProps {
  session: Session;
  /** Asks before another device is signed out. */
  onSignOut: (session: Session) => void;
}

/** Signs out one of the user's devices, possibly this one. */
export function SignOutSessionButton({ session, onSignOut }: SignOutSessionButtonProps) {
  if (session.isCurrent) return <SignOutCurrentButton />;
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Sign out ${describeUserAgent(session.userAgent)}`}
      onClick={() => onSignOut(session)}
    >
      Sign out
    </Button>
  );
}

function SignOutCurrentButton() {
  const { mutate, isPending, isSuccess } = useSignOut();
  return (
    <Button variant="default" size="xs" loading={isPending || isSuccess} onClick={() => mutate()}>
      Sign out
    </Button>
  );
}
