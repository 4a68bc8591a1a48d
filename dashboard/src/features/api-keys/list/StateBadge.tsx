import { Badge, type MantineSize } from '@mantine/core';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { useNow } from '../../../hooks/use-now.js';
import { stateOf } from '../key-actions.js';

const badges = {
  // Light gray is the color of a hovered row.
  disabled: { color: 'gray', variant: 'default', label: 'Disabled' },
  expired: { color: 'red', variant: 'light', label: 'Expired' },
  'leaked-disabled': { color: 'red', variant: 'light', label: 'Leaked, disabled' },
  leaked: { color: 'red.9', variant: 'filled', label: 'Leaked' },
  // Yellow text would be illegible.
  expiring: { color: 'yellow', variant: 'filled', label: 'Expires soon' },
  unused: { color: 'gray', variant: 'default', label: 'Unused' },
};

/** Marks a key that leaked, is disabled, expired, about to expire, or unused for 90 days. */
export function StateBadge({ apiKey, size }: { apiKey: ListedApiKey; size?: MantineSize }) {
  const state = stateOf(apiKey, useNow());
  if (state === undefined) return null;
  const { color, variant, label } = badges[state];
  return (
    <Badge color={color} variant={variant} size={size} autoContrast>
      {label}
    </Badge>
  );
}
