import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { reachability } from '../api/reachability.js';
import { ServiceError } from '../api/service-error.js';
import { ErrorAlert } from '../ui/ErrorAlert.js';
import { PageHeader } from '../ui/PageHeader.js';
import { session } from '../session/session.js';
import { CenteredCard } from './CenteredCard.js';

const title = 'This page cannot be shown';

/** Stands in for everything, where not even the frame could be shown. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const signOut = useMutation({ mutationFn: () => session.signOut() });
  return (
    <CenteredCard title={title}>
      <Reason error={signOut.error ?? error} />
      <Button variant="subtle" fullWidth mt="md" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </CenteredCard>
  );
}

/** Stands in for a page within the frame, which leads to the others. */
export function PageError({ error }: ErrorComponentProps) {
  return (
    <>
      <PageHeader title={title} />
      <Reason error={error} />
    </>
  );
}

/** Why it could not be shown, until it is tried again: by itself when the service is back. */
function Reason({ error }: { error: unknown }) {
  const router = useRouter();
  useEffect(
    () =>
      reachability.subscribe(() => {
        if (reachability.get() === 'reachable') void router.invalidate();
      }),
    [router],
  );
  // Anything else was written for who works on the dashboard, and is in the console.
  const reason = error instanceof ServiceError ? error : new Error('Something went wrong here.');
  return <ErrorAlert error={reason} onRetry={() => void router.invalidate()} />;
}
