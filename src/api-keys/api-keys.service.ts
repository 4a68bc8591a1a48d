import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { invalidField, notFound } from '../common/errors/app-error.js';
import { foldText } from '../common/validation/fold-text.js';
import { defaultCurrency, ServiceConfig } from '../config/service-config.js';
import {
  addLimitCounters,
  deleteCountersOfDeletedKeys,
  readLimitStates,
  readLimitStatesOf,
} from '../limits/limit-queries.js';
import { scheduleLimitChecks } from '../limits/notices/limit-checks.js';
import { showLimits, toStoredLimits } from '../limits/stored-limits.js';
import { checkCreator, checkExpiry, deleteApiKeys, lockApiKey, lockOrganization } from './api-key-queries.js';
import { ApiKey } from './api-key.entity.js';
import { changeApiKey } from './change-api-key.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from './api-key.token.js';
import type { ApiKeyDetailsDto } from './dto/api-key-details.dto.js';
import type { ApiKeyListDto, ListedApiKeyDto } from './dto/api-key-list.dto.js';
import type { ApiKeyTagListDto } from './dto/api-key-tags.dto.js';
import type { ApiKeyDto } from './dto/api-key.dto.js';
import type { CreateApiKeyDto, UpdateApiKeyDto } from './dto/change-api-key.dto.js';
import type { ListApiKeysQueryDto } from './dto/list-api-keys-query.dto.js';
import type { KeyRestrictionsDto } from './dto/key-restrictions.dto.js';
import { findApiKey, findApiKeysPage, findTags } from './find-api-keys.js';
import { claimIdempotencyKey } from './idempotency.js';
import { readFormerHolders, readFormerHoldersOf } from './known-to-former-members.js';
import { fullestOf, readRecentUse } from './recent-use.js';
import { readLeakReporter } from './leak-reporter.js';
import { toDetailsDto, toDto, toDtoWithLimits } from './show-api-key.js';

/** Manages API keys. Each change and its audit event are one transaction. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'currency'>,
  ) {}

  /**
   * Creates a key in the actor's organization.
   *
   * @returns its id and the full key, which isn't stored
   * @throws AppError 400 if the expiry is in the past, beyond the organization's limit, or missing although it deletes the
   *   key; 401 if the actor was removed at the same time; 409 if the idempotency key was used before
   */
  async create(actor: Actor, settings: CreateApiKeyDto, idempotencyKey?: string): Promise<{ id: string; key: string }> {
    const { organizationId } = actor;
    const { name, expiresAt, deleteWhenExpired = false } = settings;
    if (deleteWhenExpired && expiresAt === undefined) {
      throw invalidField('deleteWhenExpired', 'deleteWhenExpired requires expiresAt.');
    }
    const restrictions = restrictionsOf(settings);
    const id = uuidv7();
    const key = generateApiKey();
    const hint = hintOfApiKey(key);
    await this.dataSource.transaction(async (manager) => {
      if (idempotencyKey !== undefined) {
        const request = { key: idempotencyKey, route: 'POST /api-keys', body: settings, apiKeyId: id };
        await claimIdempotencyKey(manager, actor, request);
      }
      const { isLimited: organizationLimited } = await lockOrganization(manager, organizationId);
      await checkCreator(manager, actor);
      await checkExpiry(manager, organizationId, expiresAt);
      await manager.insert(ApiKey, {
        id,
        organizationId,
        name,
        foldedName: foldText(name),
        hint,
        secretHash: hashApiKey(key),
        expiresAt: expiresAt ?? null,
        deleteWhenExpired,
        ...restrictions,
        organizationLimited,
        createdById: actor.kind === 'user' ? actor.id : null,
        createdByServiceAccountId: actor.kind === 'service-account' ? actor.id : null,
      });
      await addLimitCounters(manager, { id, organizationId }, null, restrictions.limits ?? null);
      await scheduleLimitChecks(manager, { id, organizationId }, restrictions.limits ?? null);
      await this.audit.record(manager, actor, {
        action: 'api-key.create',
        target: { kind: 'api-key', id, name, hint },
        after: {
          name,
          ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
          ...(deleteWhenExpired && { deleteWhenExpired }),
          ...showLimits(restrictions),
        },
      });
    });
    return { id, key };
  }

  /** Returns a page of the keys of the principal's organization. */
  async list(principal: Principal, query: ListApiKeysQueryDto): Promise<ApiKeyListDto> {
    const { include = [], page: number, perPage } = query;
    const { total, page } = await findApiKeysPage(this.dataSource.manager, principal.organizationId, query);
    const apiKeys = page.map(include.includes('limits') ? toDtoWithLimits : toDto);
    const [use, holders] = await Promise.all([
      include.includes('use') ? this.readUse(principal, apiKeys) : undefined,
      include.includes('knownToFormerMembers') ? this.readFormerHolders(principal, apiKeys) : undefined,
    ]);
    return {
      total,
      page: number,
      perPage,
      apiKeys: apiKeys.map((apiKey) => ({ ...apiKey, ...use?.(apiKey.id), ...holders?.(apiKey.id) })),
      ...(use && { currency: this.config.currency ?? defaultCurrency }),
    };
  }

  /** Reads who knows a secret of a page of keys and shouldn't. Returns a function of a key's id. */
  private async readFormerHolders({ organizationId }: Principal, apiKeys: readonly ApiKeyDto[]) {
    const ids = apiKeys.map(({ id }) => id);
    const holdersOf = await readFormerHoldersOf(this.dataSource.manager, organizationId, ids);
    return (id: string): Partial<ListedApiKeyDto> => ({ knownToFormerMembers: holdersOf(id) });
  }

  /**
   * Reads the fullest limits of a page of keys and, if the principal may see it, recent usage. Returns a function of a key's
   * id.
   */
  private async readUse({ organizationId, permissions }: Principal, apiKeys: readonly ApiKeyDto[]) {
    const { manager } = this.dataSource;
    const ids = apiKeys.map(({ id }) => id);
    const [usageOf, limitsOf] = await Promise.all([
      permissions.includes('get-usage') ? readRecentUse(manager, organizationId, ids) : undefined,
      readLimitStatesOf(manager, ids),
    ]);
    return (id: string): Partial<ListedApiKeyDto> => {
      const limits = limitsOf.get(id) ?? [];
      const fullestLimit = fullestOf(limits);
      const fullestCostLimit = fullestOf(limits.filter(({ metric }) => metric === 'cost'));
      return {
        ...(usageOf && { recentUsage: usageOf(id) }),
        ...(fullestLimit && { fullestLimit }),
        ...(fullestCostLimit && { fullestCostLimit }),
      };
    };
  }

  /** Returns the tags of the keys of the principal's organization. */
  async listTags({ organizationId }: Principal): Promise<ApiKeyTagListDto> {
    return { tags: await findTags(this.dataSource.manager, organizationId) };
  }

  /**
   * Returns a key of the principal's organization, with its creator and the state of its limits.
   *
   * @throws AppError 404 for an unknown or foreign id
   */
  async get({ organizationId }: Principal, id: string): Promise<ApiKeyDetailsDto> {
    const { manager } = this.dataSource;
    const key = await findApiKey(manager, organizationId, id);
    if (key === undefined) throw notFound('API key');
    const [limits, formerHolders, reporter] = await Promise.all([
      readLimitStates(manager, id),
      readFormerHolders(manager, { id, organizationId }),
      readLeakReporter(manager, key),
    ]);
    return toDetailsDto(key, limits, formerHolders, reporter);
  }

  /**
   * Changes a key of the actor's organization. Restrictions and limits apply to every request that arrives after this
   * returned.
   *
   * @throws AppError 404 for an unknown or foreign id, 400 if the new expiry is in the past or beyond the organization's
   *   limit
   */
  update(actor: Actor, id: string, { name, enabled, expiresAt, ...settings }: UpdateApiKeyDto): Promise<ApiKeyDto> {
    const { organizationId } = actor;
    return this.dataSource.transaction(async (manager) => {
      if (expiresAt !== undefined) await lockOrganization(manager, organizationId);
      const key = await lockApiKey(manager, actor, id);
      const wanted = { name, enabled, expiresAt, ...restrictionsOf(settings) };
      const isChanged = await changeApiKey(manager, this.audit, actor, key, wanted);
      return toDto(isChanged ? await manager.findOneByOrFail(ApiKey, { id }) : key);
    });
  }

  /**
   * Deletes a key of the actor's organization. Once this returns, no replica accepts any of its secrets. Name, hint
   * and tags are kept for usage reports.
   *
   * @throws AppError 404 for an unknown or foreign id
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { name, hint } = await lockApiKey(manager, actor, id);
      await deleteApiKeys(manager, [id]);
      await this.audit.record(manager, actor, {
        action: 'api-key.delete',
        target: { kind: 'api-key', id, name, hint },
      });
    });
    await deleteCountersOfDeletedKeys(this.dataSource.manager, actor.organizationId);
  }
}

/** The restrictions, limits, note and tags in a request; an empty note is stored as null. */
function restrictionsOf({ models, addresses, limits, note, tags }: KeyRestrictionsDto) {
  return {
    ...(models !== undefined && { models }),
    ...(addresses !== undefined && { addresses }),
    ...(limits !== undefined && { limits: toStoredLimits(limits) }),
    ...(note !== undefined && { note: note === '' ? null : note }),
    ...(tags !== undefined && { tags }),
  };
}
