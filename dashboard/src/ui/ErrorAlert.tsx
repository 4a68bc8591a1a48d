import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ServiceError } from '../api/service-error.js';
import { countOf } from '../lib/format-numbers.js';

interface ErrorAlertProps {
  error: Error;
  onRetry?: () => void;
}

/** Why something has failed, in the service's own words, when it may go better, and what finds it in the log. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  return (
    <Alert color="red" icon={<IconAlertCircle />} role="alert">
      <Group justify="space-between">
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
        <Text size="sm">Ready again in about {countOf(retryAfterSeconds, 'second')}.</Text>
      )}
      {status >= 500 && requestId !== undefined && (
        <Text size="xs" mt={4}>
          Request {requestId}
        </Text>
      )}
    </>
  );
}
