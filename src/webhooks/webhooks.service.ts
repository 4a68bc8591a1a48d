import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Principal } from '../access/principal.js';
import { AuditService, changedFields } from '../audit/audit.service.js';
import { AppError, invalidFields } from '../common/errors/app-error.js';
import type { PageQueryDto } from '../common/validation/paging.dto.js';
import { ServiceConfig } from '../config/service-config.js';
import { currentTime } from '../database/clock.js';
import type { WebhookAttemptDto } from './dto/delivery.dto.js';
import type {
  CreateWebhookDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookListDto,
  WebhookSecretDto,
} from './dto/webhook.dto.js';
import { findFailedAttempts, findWebhook, replaceSecret, retryNow } from './webhook-queries.js';
import { generateSecret, showSecret } from './webhook-secret.js';
import { findUrlProblems, hostOf } from './webhook-url.js';
import { Webhook } from './webhook.entity.js';

/** Each change is sent to all of them. */
const maxWebhooks = 1000;

/** Manages webhooks. Each change and its audit event are one transaction. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'webhookAllowedNetworks'>,
  ) {}

  /**
   * Creates a webhook in the actor's organization.
   *
   * @returns its id and secret
   * @throws AppError 400 for a URL that isn't allowed; 409 if the organization has 1,000 webhooks
   */
  async create(actor: Actor, { url, eventTypes = null, enabled = true }: CreateWebhookDto): Promise<WebhookSecretDto> {
    this.checkUrl(url);
    const { organizationId } = actor;
    const id = uuidv7();
    const secret = generateSecret();
    await this.dataSource.transaction(async (manager) => {
      if ((await manager.countBy(Webhook, { organizationId })) >= maxWebhooks) {
        throw new AppError('conflict', `An organization can have at most ${maxWebhooks} webhooks. Delete one first.`);
      }
      await manager.insert(Webhook, { id, organizationId, url, eventTypes, enabled, secret });
      await this.audit.record(manager, actor, {
        action: 'webhook.create',
        target: { kind: 'webhook', id, name: hostOf(url) },
        after: { url: hostOf(url), eventTypes, enabled },
      });
    });
    return { id, secret: showSecret(secret) };
  }

  /** Returns a page of the webhooks of the principal's organization. */
  async list({ organizationId }: Principal, { page, perPage }: PageQueryDto): Promise<WebhookListDto> {
    const { manager } = this.dataSource;
    const [webhooks, total] = await manager.findAndCount(Webhook, {
      where: { organizationId },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * perPage,
      take: perPage,
    });
    return { total, page, perPage, webhooks: await toDtos(manager, webhooks) };
  }

  /** @throws AppError 404 for an unknown or foreign id */
  async get({ organizationId }: Principal, id: string): Promise<WebhookDto> {
    const { manager } = this.dataSource;
    return toDto(manager, await findWebhook(manager, organizationId, id));
  }

  /**
   * Changes a webhook. Enabling it retries waiting deliveries immediately.
   *
   * @throws AppError 400 for a URL that isn't allowed; 404 for an unknown or foreign id
   */
  update(actor: Actor, id: string, wanted: UpdateWebhookDto): Promise<WebhookDto> {
    if (wanted.url !== undefined) this.checkUrl(wanted.url);
    const { organizationId } = actor;
    return this.dataSource.transaction(async (manager) => {
      const webhook = await findWebhook(manager, organizationId, id, { isLocked: true });
      const change = changedFields<Pick<Webhook, 'url' | 'eventTypes' | 'enabled'>>(webhook, wanted);
      if (change === undefined) return toDto(manager, webhook);
      const { before, after } = change;
      const isEnabled = after.enabled ?? webhook.enabled;
      await manager.update(
        Webhook,
        { id },
        { ...after, ...(isEnabled && { disabledReason: null }), updatedAt: () => currentTime },
      );
      if (after.enabled === true) await retryNow(manager, id);
      const changed = await findWebhook(manager, organizationId, id);
      await this.audit.record(manager, actor, {
        action: 'webhook.update',
        target: { kind: 'webhook', id, name: hostOf(changed.url) },
        before: withoutPath(before),
        after: withoutPath(after),
      });
      return toDto(manager, changed);
    });
  }

  /**
   * Gives a webhook a new secret. Deliveries are signed with the current one too, for `gracePeriodSeconds`.
   *
   * @throws AppError 404 for an unknown or foreign id
   */
  async rotate(actor: Actor, id: string, gracePeriodSeconds: number): Promise<WebhookSecretDto> {
    const secret = generateSecret();
    await this.dataSource.transaction(async (manager) => {
      const { url } = await findWebhook(manager, actor.organizationId, id, { isLocked: true });
      await replaceSecret(manager, id, { secret, gracePeriodSeconds });
      await this.audit.record(manager, actor, {
        action: 'webhook.rotate',
        target: { kind: 'webhook', id, name: hostOf(url) },
        after: { gracePeriodSeconds },
      });
    });
    return { id, secret: showSecret(secret) };
  }

  /**
   * Deletes a webhook. Deliveries that wait are dropped; one that runs may still arrive.
   *
   * @throws AppError 404 for an unknown or foreign id
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { url } = await findWebhook(manager, actor.organizationId, id, { isLocked: true });
      await manager.delete(Webhook, { id });
      await this.audit.record(manager, actor, {
        action: 'webhook.delete',
        target: { kind: 'webhook', id, name: hostOf(url) },
      });
    });
  }

  private checkUrl(url: string): void {
    const problems = findUrlProblems(url, this.config.webhookAllowedNetworks);
    if (problems.length === 0) return;
    throw invalidFields(problems.map((problem) => ({ field: 'url', message: `url ${problem}` })));
  }
}

/** The audit log has hosts only, because a path may contain credentials. */
function withoutPath({ url, ...others }: Partial<Pick<Webhook, 'url' | 'eventTypes' | 'enabled'>>) {
  return { ...(url !== undefined && { url: hostOf(url) }), ...others };
}

async function toDtos(manager: EntityManager, webhooks: readonly Webhook[]): Promise<WebhookDto[]> {
  const attempts = await findFailedAttempts(manager, webhooks);
  return webhooks.map((webhook) => describeWebhook(webhook, attempts.get(webhook.id) ?? null));
}

async function toDto(manager: EntityManager, webhook: Webhook): Promise<WebhookDto> {
  const attempts = await findFailedAttempts(manager, [webhook]);
  return describeWebhook(webhook, attempts.get(webhook.id) ?? null);
}

function describeWebhook(webhook: Webhook, failedAttempt: WebhookAttemptDto | null): WebhookDto {
  const { id, url, eventTypes, enabled, disabledReason, createdAt, updatedAt, previousSecretExpiresAt } = webhook;
  const hasPrevious = previousSecretExpiresAt !== null && previousSecretExpiresAt.getTime() > Date.now();
  return {
    id,
    url,
    eventTypes,
    enabled,
    disabledReason,
    failedAttempt,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(hasPrevious && { previousSecretExpiresAt: previousSecretExpiresAt.toISOString() }),
  };
}
