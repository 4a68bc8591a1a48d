import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/EmptyState.js';
import { PageHeader } from '../ui/PageHeader.js';

/** What an address of the dashboard leads to that is none of its pages. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={<IconMapQuestion size={28} />}
        title="Nothing is at this address"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/dashboard" {...props} />}>
            Start of the dashboard
          </Button>
        }
      >
        It may have been mistyped, or the page has moved.
      </EmptyState>
    </>
  );
}
