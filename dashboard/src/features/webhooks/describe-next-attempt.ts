import type { Webhook, WebhookDelivery } from '../../api/schema.js';

type Delivery = Pick<WebhookDelivery, 'kind' | 'status' | 'attempts' | 'nextAttemptAt'>;

/**
 * What a delivery waits for, unless it's the time of its next attempt: such as earlier events, because a webhook gets them
 * in order. Undefined if it waits for that time, or no attempt follows.
 */
export function describeWait(
  { kind, status, attempts, nextAttemptAt }: Delivery,
  { enabled, failedAttempt }: Pick<Webhook, 'enabled' | 'failedAttempt'>,
  now: number,
): string | undefined {
  if (status !== 'waiting') return undefined;
  if (kind === 'event' && !enabled) return 'Waits until the webhook is enabled.';
  if (nextAttemptAt !== null && Date.parse(nextAttemptAt) > now) return undefined;
  // Only the first event that waits is attempted.
  if (kind === 'event' && failedAttempt !== null && attempts.length === 0) {
    return 'Waits until earlier events are delivered.';
  }
  return 'Next attempt: in a moment';
}
