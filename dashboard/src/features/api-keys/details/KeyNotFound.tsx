import { Button } from '@mantine/core';
import { IconArrowLeft, IconKeyOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../../ui/EmptyState.js';
import { PageHeader } from '../../../ui/PageHeader.js';

/** Shown instead of the details of an unknown key. */
export function KeyNotFound() {
  return (
    <>
      <PageHeader title="API key" />
      <EmptyState
        icon={<IconKeyOff size={28} />}
        title="Key not found"
        action={
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/dashboard/keys" {...props} />}
          >
            Back to API keys
          </Button>
        }
      >
        It may have been deleted, or it belongs to another organization.
      </EmptyState>
    </>
  );
}
