import type { WebhookDelivery } from '../../api/schema.js';

type Attempt = WebhookDelivery['attempts'][number];

/** Such as "204 in 87 ms", or why there was no response. */
export function describeAttempt(attempt: Attempt | undefined): string {
  if (attempt === undefined) return 'No attempt yet';
  return attempt.error ?? `${attempt.status} in ${attempt.durationMs} ms`;
}

/** Such as "Responded 500", or why there was no response. */
export function nameResult({ error, status }: Pick<Attempt, 'error' | 'status'>): string {
  return error ?? `Responded ${status}`;
}
