import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/EmptyState.js';
import { PageHeader } from '../ui/PageHeader.js';

/** Shown for unknown dashboard URLs. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={<IconMapQuestion size={28} />}
        title="Check the URL"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/dashboard" {...props} />}>
            Go to dashboard
          </Button>
        }
      >
        It may be mistyped, or the page may have moved.
      </EmptyState>
    </>
  );
}
