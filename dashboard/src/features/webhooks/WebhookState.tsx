import { Badge, Stack, Text } from '@mantine/core';
import type { Webhook } from '../../api/schema.js';
import { nameResult } from './describe-attempt.js';

/** Whether a webhook is enabled and its deliveries succeed, and if not, why. */
export function WebhookState({ webhook: { enabled, disabledReason, failedAttempt } }: { webhook: Webhook }) {
  if (failedAttempt !== null) {
    return (
      <Stack gap={2} align="flex-start">
        {/* Orange text has too little contrast in light mode. */}
        <Badge color="orange" variant="light" c="var(--mantine-color-text)">
          Failing
        </Badge>
        <Text size="xs" c="dimmed">
          {nameResult(failedAttempt)}
        </Text>
      </Stack>
    );
  }
  if (enabled) {
    return (
      <Badge color="teal" variant="light">
        Enabled
      </Badge>
    );
  }
  return (
    <Badge color={disabledReason === null ? 'gray' : 'red'} variant="light" autoContrast>
      {disabledReason === null ? 'Disabled' : 'Disabled after failures'}
    </Badge>
  );
}
