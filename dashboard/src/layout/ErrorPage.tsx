import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { reachability } from '../api/reachability.js';
import { ErrorAlert } from '../components/ErrorAlert.js';
import { session } from '../session/session.js';
import { CenteredCard } from './CenteredCard.js';

/** Stands in for a page that could not be shown, until the service is back where that was the reason. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const signOut = useMutation({ mutationFn: () => session.signOut() });
  useEffect(
    () =>
      reachability.subscribe(() => {
        if (reachability.get() === 'reachable') void router.invalidate();
      }),
    [router],
  );
  return (
    <CenteredCard title="This page cannot be shown">
      <ErrorAlert
        error={signOut.error ?? (error instanceof Error ? error : new Error(String(error)))}
        onRetry={() => void router.invalidate()}
      />
      <Button variant="subtle" fullWidth mt="md" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </CenteredCard>
  );
}
