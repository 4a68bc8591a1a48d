import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import type { AuditAction } from '../audit/audit-actions.js';
import { publish } from '../events/publish.js';
import type {
  ListDeliveriesQueryDto,
  NewWebhookDeliveryDto,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
} from './dto/delivery.dto.js';
import {
  addDelivery,
  findDeliveriesPage,
  findDelivery,
  findWebhook,
  retryNow,
  type StoredDelivery,
} from './webhook-queries.js';
import { hostOf } from './webhook-url.js';
import type { Webhook } from './webhook.entity.js';

/** Lists deliveries, and adds those that users request. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /** @throws AppError 404 for an unknown or foreign webhook */
  async list(
    { organizationId }: Principal,
    webhookId: string,
    query: ListDeliveriesQueryDto,
  ): Promise<WebhookDeliveryListDto> {
    const { manager } = this.dataSource;
    const webhook = await findWebhook(manager, organizationId, webhookId);
    const { total, deliveries } = await findDeliveriesPage(manager, webhook, query);
    return { total, page: query.page, perPage: query.perPage, deliveries: deliveries.map(toDto) };
  }

  /**
   * Sends a test to a webhook, even if it's disabled.
   *
   * @returns the id of the delivery
   * @throws AppError 404 for an unknown or foreign id
   */
  test(actor: Actor, webhookId: string): Promise<NewWebhookDeliveryDto> {
    return this.dataSource.transaction(async (manager) => {
      const webhook = await this.change(manager, actor, webhookId, 'webhook.test');
      const eventId = await publish(manager, {
        organizationId: actor.organizationId,
        type: 'webhook.test',
        actor: { kind: actor.kind === 'service-account' ? actor.kind : 'user', id: actor.id, name: null, email: null },
        requestId: actor.origin.requestId,
        data: { message: 'This is a test.' },
      });
      return { id: await addDelivery(manager, webhook, eventId, 'test') };
    });
  }

  /**
   * Sends the event of a delivery once more, even if the webhook is disabled. If it still waits, the next delivery of the
   * webhook is retried immediately instead, in order.
   *
   * @returns the id of the delivery
   * @throws AppError 404 for an unknown or foreign webhook or delivery
   */
  redeliver(actor: Actor, webhookId: string, deliveryId: string): Promise<NewWebhookDeliveryDto> {
    return this.dataSource.transaction(async (manager) => {
      const webhook = await this.change(manager, actor, webhookId, 'webhook.redeliver', deliveryId);
      const delivery = await findDelivery(manager, webhook, deliveryId);
      if (delivery.status === 'waiting' && webhook.enabled) {
        await retryNow(manager, webhookId);
        return { id: deliveryId };
      }
      return { id: await addDelivery(manager, webhook, delivery.eventId, 'redelivery') };
    });
  }

  /** Locks the webhook, and records the audit event. */
  private async change(
    manager: EntityManager,
    actor: Actor,
    id: string,
    action: AuditAction,
    deliveryId?: string,
  ): Promise<Webhook> {
    const webhook = await findWebhook(manager, actor.organizationId, id, { isLocked: true });
    await this.audit.record(manager, actor, {
      action,
      target: { kind: 'webhook', id, name: hostOf(webhook.url) },
      ...(deliveryId !== undefined && { after: { deliveryId } }),
    });
    return webhook;
  }
}

function toDto(delivery: StoredDelivery): WebhookDeliveryDto {
  const { id, eventId, kind, status, attempts, nextAttemptAt, createdAt, type, occurredAt, data } = delivery;
  return {
    id,
    eventId,
    kind,
    status,
    attempts,
    nextAttemptAt: nextAttemptAt && nextAttemptAt.toISOString(),
    createdAt: createdAt.toISOString(),
    event: { type, timestamp: occurredAt.toISOString(), data },
  };
}
