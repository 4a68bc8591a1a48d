import { Button, Text } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { reachability } from '../api/reachability.js';
import { ServiceError } from '../api/service-error.js';
import { EmptyPage } from '../ui/EmptyState.js';
import { ErrorAlert } from '../ui/ErrorAlert.js';
import { PageHeader } from '../ui/PageHeader.js';
import { session } from '../session/session.js';
import { CenteredCard } from '../ui/CenteredCard.js';

const title = "This page couldn't be loaded";

/** Shown if the layout fails to load. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const signOut = useMutation({ mutationFn: () => session.signOut() });
  const hasNoOrganization = error instanceof ServiceError && error.code === 'no-organization';
  return (
    <CenteredCard title={hasNoOrganization ? "You don't belong to an organization" : title}>
      {hasNoOrganization && signOut.error === null ? (
        <Text size="sm">
          Your organization was deleted, or you were removed from it. Ask an administrator for an invitation.
        </Text>
      ) : (
        <ErrorReason error={signOut.error ?? error} />
      )}
      <Button variant="subtle" fullWidth mt="md" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </CenteredCard>
  );
}

/** Shown inside the layout if a page fails to load. */
export function PageError({ error }: ErrorComponentProps) {
  return (
    <>
      <PageHeader title={title} />
      <ErrorReason error={error} />
    </>
  );
}

/** Shown for unknown dashboard URLs. */
export function NotFoundPage() {
  return (
    <EmptyPage
      icon={<IconMapQuestion size={28} />}
      title="Page not found"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/dashboard" {...props} />}>
          Go to dashboard
        </Button>
      }
    >
      Check the URL. It may be mistyped, or the page may have moved.
    </EmptyPage>
  );
}

/** Shows the error, and retries when the service is back. */
function ErrorReason({ error }: { error: unknown }) {
  const router = useRouter();
  useEffect(
    () =>
      reachability.subscribe(() => {
        if (reachability.get() === 'reachable') void router.invalidate();
      }),
    [router],
  );
  // Other errors are for developers; the console shows them.
  const shown =
    error instanceof ServiceError ? error : new Error('Something went wrong. Try again, or reload the page.');
  return <ErrorAlert error={shown} onRetry={() => void router.invalidate()} />;
}
