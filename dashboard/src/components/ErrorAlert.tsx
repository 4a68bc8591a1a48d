import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ServiceError } from '../api/service-error.js';

interface ErrorAlertProps {
  error: Error;
  onRetry?: () => void;
}

/** Why something has failed, in the service's own words, and what finds it in the log. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  const requestId = error instanceof ServiceError && error.status >= 500 ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<IconAlertCircle />} role="alert">
      <Group justify="space-between">
        <div>
          <Text size="sm">{error.message}</Text>
          {requestId !== undefined && (
            <Text size="xs" mt={4}>
              Request {requestId}
            </Text>
          )}
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
