import type { EntityManager } from 'typeorm';
import { notFound } from '../common/errors/app-error.js';
import { currentTime } from '../database/clock.js';
import type { DeliveryKind, DeliveryStatus, WebhookAttemptDto } from './dto/delivery.dto.js';
import type { EventType } from '../events/event-types.js';
import { Webhook } from './webhook.entity.js';

/** A delivery with its event, as stored. */
export interface StoredDelivery {
  id: string;
  eventId: string;
  kind: DeliveryKind;
  status: DeliveryStatus;
  attempts: WebhookAttemptDto[];
  nextAttemptAt: Date | null;
  createdAt: Date;
  type: EventType;
  occurredAt: Date;
  data: Record<string, unknown>;
}

/**
 * Finds a webhook of the organization.
 *
 * @param isLocked whether it stays locked until the transaction ends
 * @throws AppError 404 for an unknown or foreign id
 */
export async function findWebhook(
  manager: EntityManager,
  organizationId: string,
  id: string,
  { isLocked = false } = {},
): Promise<Webhook> {
  const webhook = await manager.findOne(Webhook, {
    where: { id, organizationId },
    ...(isLocked && { lock: { mode: 'pessimistic_write' } }),
  });
  if (webhook === null) throw notFound('webhook');
  return webhook;
}

/**
 * Finds the latest failed attempt of each enabled webhook whose delivery is being retried. The overview counts these
 * webhooks, so this condition is the same as in `webhooks-to-review.sql`.
 */
export async function findFailedAttempts(
  manager: EntityManager,
  webhooks: readonly Pick<Webhook, 'id' | 'enabled'>[],
): Promise<Map<string, WebhookAttemptDto>> {
  const ids = webhooks.filter(({ enabled }) => enabled).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await manager.query<{ id: string; attempt: WebhookAttemptDto }[]>(
    `select webhook.id, delivery.attempt
     from unnest($1::uuid[]) as webhook (id) cross join lateral (
       select attempts->-1 as attempt from webhook_deliveries
       where webhook_id = webhook.id and status = 'waiting' and attempts <> '[]'
       order by position limit 1
     ) as delivery`,
    [ids],
  );
  return new Map(found.map(({ id, attempt }) => [id, attempt]));
}

/** Whether the previous secret of a webhook is still in use, by the database's clock. */
export async function replaceSecret(
  manager: EntityManager,
  id: string,
  { secret, gracePeriodSeconds }: { secret: Buffer; gracePeriodSeconds: number },
): Promise<void> {
  await manager.query(
    `update webhooks set
       previous_secret = case when $3::integer > 0 then secret end,
       previous_secret_expires_at = case when $3::integer > 0 then ${currentTime} + $3::integer * interval '1 second' end,
       secret = $2, updated_at = ${currentTime}
     where id = $1`,
    [id, secret, gracePeriodSeconds],
  );
}

/** Has a replica look for deliveries now. One that is delivering looks again when it's done. */
export async function wakeWebhook(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `update webhooks set woken = run_id is not null, due_at = case when run_id is null then ${currentTime} else due_at end
     where id = $1`,
    [id],
  );
}

/** Makes the next delivery that waits due now, instead of when its retry was planned. */
export async function retryNow(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `update webhook_deliveries set next_attempt_at = ${currentTime}
     where id = (
       select id from webhook_deliveries where webhook_id = $1 and status = 'waiting' and kind = 'event'
       order by position limit 1
     )`,
    [id],
  );
  await wakeWebhook(manager, id);
}

/** Adds a delivery that is attempted once, out of order. Returns its id. */
export async function addDelivery(
  manager: EntityManager,
  { id: webhookId, organizationId }: Pick<Webhook, 'id' | 'organizationId'>,
  eventId: string,
  kind: Exclude<DeliveryKind, 'event'>,
): Promise<string> {
  const [added] = await manager.query<{ id: string }[]>(
    `insert into webhook_deliveries (organization_id, webhook_id, event_id, kind) values ($1, $2, $3, $4) returning id`,
    [organizationId, webhookId, eventId, kind],
  );
  if (added === undefined) throw new Error('The delivery was not added.');
  await wakeWebhook(manager, webhookId);
  return added.id;
}

const deliveryColumns = `
  delivery.id, event_id as "eventId", kind, status, attempts, next_attempt_at as "nextAttemptAt",
  delivery.created_at as "createdAt", event.type, event.occurred_at as "occurredAt", event.data`;

/** The event of a delivery of this webhook. */
export async function findDelivery(
  manager: EntityManager,
  { id: webhookId, organizationId }: Pick<Webhook, 'id' | 'organizationId'>,
  id: string,
): Promise<StoredDelivery> {
  const [found] = await manager.query<StoredDelivery[]>(
    `select ${deliveryColumns}
     from webhook_deliveries as delivery join events as event on event.id = event_id
     where delivery.organization_id = $1 and webhook_id = $2 and delivery.id = $3`,
    [organizationId, webhookId, id],
  );
  if (found === undefined) throw notFound('delivery');
  return found;
}

/** Counts the deliveries of a webhook, and returns those on the page, newest first. */
export async function findDeliveriesPage(
  manager: EntityManager,
  { id: webhookId, organizationId }: Pick<Webhook, 'id' | 'organizationId'>,
  { page, perPage, status }: { page: number; perPage: number; status?: DeliveryStatus },
): Promise<{ total: number; deliveries: StoredDelivery[] }> {
  const conditions = `delivery.organization_id = $1 and webhook_id = $2 and ($3::text is null or status = $3)`;
  const values = [organizationId, webhookId, status ?? null];
  const [counted] = await manager.query<{ total: number }[]>(
    `select count(*)::integer as total
     from webhook_deliveries as delivery join events as event on event.id = event_id where ${conditions}`,
    values,
  );
  const deliveries = await manager.query<StoredDelivery[]>(
    `select ${deliveryColumns}
     from webhook_deliveries as delivery join events as event on event.id = event_id
     where ${conditions} order by delivery.created_at desc, delivery.position desc nulls first, delivery.id limit $4 offset $5`,
    [...values, perPage, (page - 1) * perPage],
  );
  return { total: counted?.total ?? 0, deliveries };
}
