import type { DeliveryKind, DeliveryStatus } from '../dto/delivery.dto.js';
import type { DisabledReason } from '../webhook.entity.js';
import type { AttemptResult } from './webhook-sender.js';

/** What follows an attempt. */
export interface NextStep {
  readonly status: DeliveryStatus;
  /** Until the next attempt, if one follows. */
  readonly delayMilliseconds?: number;
  /** Why the webhook is disabled, if it is. */
  readonly disable?: DisabledReason;
}

/** A receiver can't pause deliveries for longer. */
const maxRetryAfterSeconds = 24 * 3600;
const jitterShare = 0.1;
const goneStatus = 410;

/** Whether a response confirms the delivery. */
export const isSuccess = ({ status }: Pick<AttemptResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/**
 * Decides what follows an attempt. Deliveries that users request are attempted once.
 *
 * @param attempt number of the attempt, from 1
 * @param retrySeconds see `WebhookOptions`
 * @param random from 0 to below 1
 */
export function planNext(
  { kind, attempt }: { kind: DeliveryKind; attempt: number },
  result: Pick<AttemptResult, 'status' | 'retryAfterSeconds'>,
  retrySeconds: readonly number[],
  random: number,
): NextStep {
  if (isSuccess(result)) return { status: 'succeeded' };
  if (kind !== 'event') return { status: 'failed' };
  if (result.status === goneStatus) return { status: 'failed', disable: 'gone' };
  const seconds = retrySeconds[attempt - 1];
  if (seconds === undefined) return { status: 'failed', disable: 'failing' };
  const varied = seconds * (1 + (random * 2 - 1) * jitterShare);
  const asked = Math.min(result.retryAfterSeconds ?? 0, maxRetryAfterSeconds);
  return { status: 'waiting', delayMilliseconds: Math.round(Math.max(varied, asked) * 1000) };
}
