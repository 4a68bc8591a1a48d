import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorAlert } from '../components/ErrorAlert.js';
import { session } from '../session/session.js';
import { CenteredCard } from './CenteredCard.js';

/** Stands in for a page that could not be shown. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <CenteredCard title="This page cannot be shown">
      <ErrorAlert
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => void router.invalidate()}
      />
      <Button variant="subtle" fullWidth mt="md" onClick={() => void session.signOut()}>
        Sign out
      </Button>
    </CenteredCard>
  );
}
