import type { WebhookOptions } from '../../config/webhook-options.js';
import type { WebhookAttemptDto } from '../dto/delivery.dto.js';
import { signedHeaders } from '../webhook-secret.js';
import { type AllowedNetworks, guardRulesOf } from '../webhook-url.js';
import type { DisabledReason } from '../webhook.entity.js';
import type { ClaimedWebhook, DeliveryQueue, RunReport, WaitingDelivery } from './delivery-queue.js';
import { isSuccess, planNext } from './plan-next.js';
import { type AttemptResult, WebhookSender } from './webhook-sender.js';

/** After this, webhooks that wait get their turn. */
const turnMilliseconds = 2000;

/** What runs have in common. */
export interface RunContext {
  readonly queue: DeliveryQueue;
  readonly options: WebhookOptions;
  readonly networks: AllowedNetworks;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
  /** Called when an attempt takes long. */
  readonly onSlow: () => void;
  readonly onAttempt: (isSuccessful: boolean) => void;
  /** Disables the webhook, and records that. */
  readonly disable: (webhook: ClaimedWebhook, reason: DisabledReason) => Promise<void>;
}

/**
 * Delivers what waits for a webhook, one after the other, while the replica has it. The first failure ends it: later
 * events must not overtake. What users requested is delivered before, and whatever happens to it.
 */
export async function runDeliveries(webhook: ClaimedWebhook, context: RunContext): Promise<void> {
  const { queue, options, networks, signal } = context;
  const url = new URL(webhook.url);
  const sender = new WebhookSender(url, guardRulesOf(url, networks, options.timeoutSeconds), options.timeoutSeconds);
  const end = performance.now() + turnMilliseconds;
  const due = dueOf(webhook);
  let isReleased = false;
  try {
    for (const [index, delivery] of due.entries()) {
      if (signal.aborted) break;
      const { recorded, mayContinue } = await attempt(webhook, delivery, sender, context);
      const isLast = !mayContinue || index === due.length - 1 || performance.now() > end;
      const held = await queue.report(webhook, { recorded, isLast });
      isReleased = isLast || held === undefined;
      if (isReleased || (delivery.kind === 'event' && held?.enabled !== true)) break;
    }
  } finally {
    sender.close();
    if (!isReleased) await queue.report(webhook, { isLast: true });
  }
}

/** Deliveries up to the first one whose time hasn't come. */
function dueOf({ deliveries }: ClaimedWebhook): readonly WaitingDelivery[] {
  const first = deliveries.findIndex(({ isDue }) => !isDue);
  return first === -1 ? deliveries : deliveries.slice(0, first);
}

interface Attempted {
  readonly recorded: NonNullable<RunReport['recorded']>;
  /** Whether the next delivery may follow. */
  readonly mayContinue: boolean;
}

async function attempt(
  webhook: ClaimedWebhook,
  delivery: WaitingDelivery,
  sender: WebhookSender,
  { options, signal, onSlow, onAttempt, disable }: RunContext,
): Promise<Attempted> {
  const at = new Date();
  const slowTimer = setTimeout(onSlow, options.slowMilliseconds);
  let result: AttemptResult;
  try {
    const body = bodyOf(delivery);
    result = await sender.send(body, headersOf(webhook, delivery, at, body), signal);
  } finally {
    clearTimeout(slowTimer);
  }
  const isSuccessful = isSuccess(result);
  onAttempt(isSuccessful);
  const next = planNext(delivery, result, options.retrySeconds, Math.random());
  // Before the attempt is recorded: if the replica ends in between, the delivery still waits.
  if (next.disable !== undefined) await disable(webhook, next.disable);
  return {
    recorded: {
      deliveryId: delivery.id,
      attempt: toAttempt(at, result),
      status: next.status,
      delayMilliseconds: next.delayMilliseconds,
      isSlow: !isSuccessful || result.durationMs > options.slowMilliseconds,
    },
    mayContinue: isSuccessful || delivery.kind !== 'event',
  };
}

/** The same in each attempt, so that a receiver can compare them. */
function bodyOf({ type, occurredAt, data }: WaitingDelivery): string {
  return JSON.stringify({ type, timestamp: new Date(occurredAt).toISOString(), data });
}

function headersOf({ secrets }: ClaimedWebhook, { eventId }: WaitingDelivery, at: Date, body: string) {
  const keys = secrets.map((secret) => Buffer.from(secret, 'base64'));
  return signedHeaders(keys, { id: eventId, timestamp: Math.floor(at.getTime() / 1000), body });
}

function toAttempt(at: Date, { durationMs, status, error, response }: AttemptResult): WebhookAttemptDto {
  return { at: at.toISOString(), durationMs, status, error, response };
}
