import { Alert, Button, Text } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import { useNow } from '../../hooks/use-now.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { explainLimit } from './explain-limit.js';

interface RequestErrorProps {
  error: Error;
  onRetry?: () => void;
}

/** Shows why a request failed. For a limit: which one, and when to retry. */
export function RequestError({ error, onRetry }: RequestErrorProps) {
  const explanation = explainLimit(error, useNow());
  if (explanation === undefined) return <ErrorAlert error={error} onRetry={onRetry} />;
  const { title, problem, advice } = explanation;
  return (
    <Alert color="orange" icon={<IconGauge />} role="alert">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm">{problem}</Text>
      <Text size="sm">{advice}</Text>
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
