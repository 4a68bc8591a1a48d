import { Badge } from '@mantine/core';
import type { Webhook } from '../../api/schema.js';

/** Whether a webhook is enabled, and if not, why. */
export function WebhookState({ webhook: { enabled, disabledReason } }: { webhook: Webhook }) {
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
