import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../access/actor.js';
import type { Principal } from '../access/principal.js';
import { ApiKey } from './api-key.entity.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from './api-key.token.js';
import { checkExpiry } from './check-expiry.js';
import { DeletedApiKey } from './deleted-api-key.entity.js';
import type { ApiKeyDetailsDto } from './dto/api-key-details.dto.js';
import type { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import type { ApiKeyDto, ApiKeyListDto, ListApiKeysQueryDto } from './dto/api-key.dto.js';
import type { UpdateApiKeyDto } from './dto/update-api-key.dto.js';
import { findApiKeysPage } from './api-key-queries.js';
import { foldText } from '../common/validation/fold-text.js';
import { apiKeyNotFound, lockApiKey } from './lock-api-key.js';
import { replaceSecret } from './replace-secret.js';
import { toApiKeyDetailsDto, toApiKeyDto } from './to-api-key-dto.js';

/** Whatever changes a key leaves its audit event in the same transaction: both happen or neither. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a key in the actor's organization; the answer is the only place where the key can be read.
   *
   * @throws AppError 400 for an expiry that is past or beyond the organization's limit
   */
  async create(actor: Actor, { name, expiresAt }: CreateApiKeyDto): Promise<{ id: string; key: string }> {
    const { organizationId } = actor;
    const id = uuidv7();
    const key = generateApiKey();
    const hint = hintOfApiKey(key);
    await this.apiKeys.manager.transaction(async (manager) => {
      await checkExpiry(manager, organizationId, expiresAt);
      await manager.insert(ApiKey, {
        id,
        organizationId,
        name,
        foldedName: foldText(name),
        hint,
        keyHash: hashApiKey(key),
        expiresAt: expiresAt ?? null,
        createdById: actor.id,
      });
      await this.audit.record(manager, actor, {
        action: 'api-key.create',
        target: { kind: 'api-key', id, name, hint },
        after: { name, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) },
      });
    });
    return { id, key };
  }

  /** One page of the keys of the principal's organization. */
  async list({ organizationId }: Principal, query: ListApiKeysQueryDto): Promise<ApiKeyListDto> {
    const { total, page } = await findApiKeysPage(this.apiKeys, organizationId, query);
    return { total, page: query.page, perPage: query.perPage, apiKeys: page.map(toApiKeyDto) };
  }

  /**
   * One key of the principal's organization, with who created it.
   *
   * @throws AppError 404 for an unknown, malformed or foreign id
   */
  async get({ organizationId }: Principal, id: string): Promise<ApiKeyDetailsDto> {
    if (!isUUID(id)) throw apiKeyNotFound();
    const key = await this.apiKeys
      .createQueryBuilder('key')
      .leftJoin('key.createdBy', 'creator')
      .addSelect(['creator.id', 'creator.name', 'creator.email'])
      .where('key.id = :id and key.organizationId = :organizationId', { id, organizationId })
      .getOne();
    if (key === null) throw apiKeyNotFound();
    return toApiKeyDetailsDto(key);
  }

  /**
   * Renames a key of the actor's organization.
   *
   * @throws AppError 404 for an unknown, malformed or foreign id
   */
  update(actor: Actor, id: string, { name }: UpdateApiKeyDto): Promise<ApiKeyDto> {
    return this.apiKeys.manager.transaction(async (manager) => {
      const before = await lockApiKey(manager, actor, id);
      await manager.update(ApiKey, { id }, { name, foldedName: foldText(name), updatedAt: () => 'clock_timestamp()' });
      await this.audit.record(manager, actor, {
        action: 'api-key.update',
        target: { kind: 'api-key', id, name, hint: before.hint },
        before: { name: before.name },
        after: { name },
      });
      return toApiKeyDto(await manager.findOneByOrFail(ApiKey, { id }));
    });
  }

  /**
   * Gives a key of the actor's organization a new secret, which is returned this once. The former secret is accepted
   * for so many seconds more, though no longer than the key lives; the one before it ends now. When this returns, no
   * replica accepts a secret that has ended.
   *
   * @throws AppError 404 for an unknown, malformed or foreign id; 409 for a key that has expired
   */
  async rotate(actor: Actor, id: string, gracePeriodSeconds: number): Promise<string> {
    const key = generateApiKey();
    const hint = hintOfApiKey(key);
    await this.apiKeys.manager.transaction(async (manager) => {
      const before = await lockApiKey(manager, actor, id);
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
   * Deletes a key of the actor's organization. When this returns, no replica accepts the key any more, nor its former
   * secret. Its name and hint are kept, for its usage.
   *
   * @throws AppError 404 for an unknown, malformed or foreign id
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.apiKeys.manager.transaction(async (manager) => {
      const { name, hint, organizationId } = await lockApiKey(manager, actor, id);
      await manager.delete(ApiKey, { id });
      await manager.insert(DeletedApiKey, { id, organizationId, name, hint });
      await this.audit.record(manager, actor, {
        action: 'api-key.delete',
        target: { kind: 'api-key', id, name, hint },
      });
    });
  }
}
