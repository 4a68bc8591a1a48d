import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ServiceError } from '../api/service-error.js';
import { pluralize } from '../lib/format-numbers.js';

interface ErrorAlertProps {
  error: Error;
  onRetry?: () => void;
}

/** Shows an error message, when to retry and, for server errors, the request id to find in the log. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  return (
    <Alert color="red" icon={<IconAlertCircle />} role="alert">
      <Group justify="space-between" align="flex-start">
        <div>
          <Text size="sm">{error.message}</Text>
          {error instanceof ServiceError && <Details error={error} />}
        </div>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function Details({ error: { status, retryAfterSeconds, requestId } }: { error: ServiceError }) {
  return (
    <>
      {retryAfterSeconds !== undefined && (
        <Text size="sm">Try again in about {pluralize(retryAfterSeconds, 'second')}.</Text>
      )}
      {status >= 500 && requestId !== undefined && (
        <Text size="xs" mt={4}>
          Request id: {requestId}
        </Text>
      )}
    </>
  );
}
