import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { notFound } from '../common/errors/app-error.js';
import { foldText } from '../common/validation/fold-text.js';
import type { LimitStateDto } from '../limits/dto/limit.dto.js';
import {
  addLimitCounters,
  deleteCountersOfDeletedKeys,
  readLimitStates,
  readLimitStatesOf,
} from '../limits/limit-queries.js';
import { showLimits, toStoredLimits } from '../limits/stored-limits.js';
import {
  checkExpiry,
  deleteApiKeys,
  findApiKey,
  findApiKeysPage,
  findTags,
  lockOrganization,
  replaceSecret,
  revokeLeakedKey,
  revokePreviousSecret,
} from './api-key-queries.js';
import { ApiKey } from './api-key.entity.js';
import { changeApiKey } from './change-api-key.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from './api-key.token.js';
import type {
  ApiKeyDetailsDto,
  ApiKeyDto,
  ApiKeyListDto,
  ApiKeyTagListDto,
  CreateApiKeyDto,
  ListApiKeysQueryDto,
  ListedApiKeyDto,
  UpdateApiKeyDto,
} from './dto/api-key.dto.js';
import type { KeyRestrictionsDto } from './dto/key-restrictions.dto.js';
import { claimIdempotencyKey } from './idempotency.js';
import { fullestOf, readRecentUse } from './recent-use.js';

/** The source of reports by people who manage keys, in place of the kind of place where a scanner found a key. */
const leakSource = 'member';

/** Manages API keys. Each change and its audit event are one transaction. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a key in the actor's organization.
   *
   * @returns its id and the full key, which isn't stored
   * @throws AppError 400 if the expiry is in the past or beyond the organization's limit; 409 if the idempotency key was
   *   used before
   */
  async create(actor: Actor, settings: CreateApiKeyDto, idempotencyKey?: string): Promise<{ id: string; key: string }> {
    const { organizationId } = actor;
    const { name, expiresAt } = settings;
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
      await checkExpiry(manager, organizationId, expiresAt);
      await manager.insert(ApiKey, {
        id,
        organizationId,
        name,
        foldedName: foldText(name),
        hint,
        secretHash: hashApiKey(key),
        expiresAt: expiresAt ?? null,
        ...restrictions,
        organizationLimited,
        createdById: actor.kind === 'user' ? actor.id : null,
        createdByServiceAccountId: actor.kind === 'service-account' ? actor.id : null,
      });
      await addLimitCounters(manager, { id, organizationId }, null, restrictions.limits ?? null);
      await this.audit.record(manager, actor, {
        action: 'api-key.create',
        target: { kind: 'api-key', id, name, hint },
        after: { name, ...(expiresAt && { expiresAt: expiresAt.toISOString() }), ...showLimits(restrictions) },
      });
    });
    return { id, key };
  }

  /** Returns a page of the keys of the principal's organization. */
  async list(principal: Principal, query: ListApiKeysQueryDto): Promise<ApiKeyListDto> {
    const { total, page } = await findApiKeysPage(this.dataSource.manager, principal.organizationId, query);
    const apiKeys = page.map(toDto);
    return {
      ...{ total, page: query.page, perPage: query.perPage },
      apiKeys: query.include?.includes('use') ? await this.addUse(principal, apiKeys) : apiKeys,
    };
  }

  /** Adds recent usage, if the principal may see it, and the fullest limit to a page of keys. */
  private async addUse(
    { organizationId, permissions }: Principal,
    apiKeys: readonly ApiKeyDto[],
  ): Promise<ListedApiKeyDto[]> {
    const { manager } = this.dataSource;
    const ids = apiKeys.map(({ id }) => id);
    const [usageOf, limits] = await Promise.all([
      permissions.includes('get-usage') ? readRecentUse(manager, organizationId, ids) : undefined,
      readLimitStatesOf(manager, ids),
    ]);
    return apiKeys.map((apiKey) => {
      const fullestLimit = fullestOf(limits.get(apiKey.id) ?? []);
      return {
        ...apiKey,
        ...(usageOf && { recentUsage: usageOf(apiKey.id) }),
        ...(fullestLimit && { fullestLimit }),
      };
    });
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
    return toDetailsDto(key, await readLimitStates(manager, id));
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
      const key = await lock(manager, actor, id);
      const wanted = { name, enabled, expiresAt, ...restrictionsOf(settings) };
      const isChanged = await changeApiKey(manager, this.audit, actor, key, wanted);
      return toDto(isChanged ? await manager.findOneByOrFail(ApiKey, { id }) : key);
    });
  }

  /**
   * Gives a key of the actor's organization a new secret. The current secret keeps working for `requestedSeconds`, but
   * no longer than the key; older secrets are revoked. If the key leaked and is disabled, the current secret is revoked too:
   * enabling the key must not bring it back. Once this returns, no replica accepts a revoked secret.
   *
   * @returns the new full key, which isn't stored
   * @throws AppError 404 for an unknown or foreign id; 409 for an expired key, or if the idempotency key was used before
   */
  async rotate(actor: Actor, id: string, requestedSeconds: number, idempotencyKey?: string): Promise<string> {
    const key = generateApiKey();
    const hint = hintOfApiKey(key);
    await this.dataSource.transaction(async (manager) => {
      const before = await lock(manager, actor, id);
      if (idempotencyKey !== undefined) {
        const route = `POST /api-keys/${id}/rotate`;
        const body = { gracePeriodSeconds: requestedSeconds };
        await claimIdempotencyKey(manager, actor, { key: idempotencyKey, route, body, apiKeyId: id });
      }
      const isRevoked = before.leakedSecret === 'current' && !before.enabled;
      const gracePeriodSeconds = isRevoked ? 0 : requestedSeconds;
      await replaceSecret(manager, id, { hash: hashApiKey(key), hint, gracePeriodSeconds });
      await this.audit.record(manager, actor, {
        action: 'api-key.rotate',
        target: { kind: 'api-key', id, name: before.name, hint },
        before: { hint: before.hint },
        after: { hint, gracePeriodSeconds },
      });
    });
    return key;
  }

  /**
   * Ends the grace period of a rotated key of the actor's organization. Once this returns, no replica accepts the
   * previous secret.
   *
   * @throws AppError 404 for an unknown or foreign id, or if no previous secret is accepted
   */
  async revokePrevious(actor: Actor, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { name, hint } = await lock(manager, actor, id);
      const revoked = await revokePreviousSecret(manager, id);
      if (revoked === undefined) throw notFound('previous secret');
      await this.audit.record(manager, actor, {
        action: 'api-key.update',
        target: { kind: 'api-key', id, name, hint },
        before: { previousSecretHint: revoked.hint, previousSecretExpiresAt: revoked.expiresAt.toISOString() },
        after: { previousSecretHint: null, previousSecretExpiresAt: null },
      });
    });
  }

  /**
   * Disables a key of the actor's organization that leaked, and revokes its previous secret. Once this returns, no replica
   * accepts any of its secrets. Repeating it changes and records nothing.
   *
   * @throws AppError 404 for an unknown or foreign id
   */
  async reportLeak(actor: Actor, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { name, hint, enabled, leakedSecret } = await lock(manager, actor, id);
      if (!enabled && leakedSecret === 'current') return;
      await revokeLeakedKey(manager, id, leakSource);
      await this.audit.record(manager, actor, {
        action: 'api-key.leak',
        target: { kind: 'api-key', id, name, hint },
        after: { url: null, source: leakSource, secret: 'current', outcome: enabled ? 'disabled' : 'already-rejected' },
      });
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
      const { name, hint } = await lock(manager, actor, id);
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

/**
 * Locks a key of the principal's organization until the transaction ends.
 *
 * @throws AppError 404 for an unknown or foreign id
 */
async function lock(manager: EntityManager, { organizationId }: Principal, id: string): Promise<ApiKey> {
  const key = await manager.findOne(ApiKey, { where: { id, organizationId }, lock: { mode: 'pessimistic_write' } });
  if (key === null) throw notFound('API key');
  return key;
}

function toDto(key: ApiKey): ApiKeyDto {
  const { enabled, createdBy } = key;
  return {
    ...commonFields(key),
    ...(!enabled && { enabled }),
    ...(createdBy && { createdBy: toCreatorDto(createdBy) }),
    ...creatingAccountOf(key),
  };
}

/** @param key from `findApiKey` */
function toDetailsDto(key: ApiKey, limits: LimitStateDto[]): ApiKeyDetailsDto {
  const {
    createdBy,
    lastUsedAddress,
    previousSecretExpiresAt,
    previousSecretHint,
    previousSecretLastUsedAt,
    rotatedAt,
    enabled,
    models,
    addresses,
    note,
    leakedAt,
    leakedUrl: url,
    leakedSource: source,
    leakedSecret: secret,
  } = key;
  return {
    ...commonFields(key),
    createdBy: createdBy && toCreatorDto(createdBy),
    ...creatingAccountOf(key),
    ...(lastUsedAddress !== null && { lastUsedAddress }),
    rotatedAt: rotatedAt && rotatedAt.toISOString(),
    previousSecretHint,
    ...(previousSecretExpiresAt && {
      previousSecretExpiresAt: previousSecretExpiresAt.toISOString(),
      previousSecretLastUsedAt: previousSecretLastUsedAt && previousSecretLastUsedAt.toISOString(),
    }),
    enabled,
    models,
    addresses,
    limits,
    note,
    ...(leakedAt && { leak: { reportedAt: leakedAt.toISOString(), url, source, secret } }),
  };
}

const toCreatorDto = ({ id, name, email }: NonNullable<ApiKey['createdBy']>) => ({ id, name, email });

/** The service account that created a key, if one did. Undefined, like the user, if they weren't read. */
function creatingAccountOf({ createdByServiceAccount: account }: Partial<Pick<ApiKey, 'createdByServiceAccount'>>) {
  return account ? { createdByServiceAccount: { id: account.id, name: account.name } } : {};
}

function commonFields(key: ApiKey) {
  const { id, name, hint, tags, createdAt, updatedAt, expiresAt, lastUsedAt, leakedAt } = key;
  return {
    id,
    name,
    hint,
    tags,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(leakedAt !== null && hasLeakedSecret(key) && { leakedAt: leakedAt.toISOString() }),
  };
}

/** Whether a leaked secret wasn't revoked. It may be rejected for now, because the key is disabled. */
function hasLeakedSecret({ leakedSecret, previousSecretExpiresAt }: ApiKey): boolean {
  return leakedSecret === 'current' || (previousSecretExpiresAt !== null && previousSecretExpiresAt > new Date());
}
