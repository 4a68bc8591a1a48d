import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import type { Actor } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { invalidField } from '../../common/errors/app-error.js';
import { maxTags } from '../../common/rules/tag-rules.js';
import { deleteCountersOfDeletedKeys } from '../../limits/limit-queries.js';
import { deleteApiKeys, lockOrganization } from '../api-key-queries.js';
import { ApiKey } from '../api-key.entity.js';
import { changeApiKey } from '../change-api-key.js';
import { rotateApiKey } from '../rotate-api-key.js';
import type { BulkResultDto, BulkRotatedApiKeysDto, BulkUpdateApiKeysDto } from './bulk.dto.js';
import { readLimitChange } from './change-limits.js';

/** Changes several API keys in one transaction, with an audit event for each. Skips ids that aren't of a key. */
@Injectable()
export class BulkApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /**
   * Changes all keys or, after an error, none.
   *
   * @throws AppError 400 if the new expiry is in the past or beyond the organization's limit, a key would have too many limits or
   *   tags, or limits would be changed in several ways
   */
  async update(
    actor: Actor,
    { ids, enabled, expiresAt, addTags, removeTags, ...limitChanges }: BulkUpdateApiKeysDto,
  ): Promise<BulkResultDto> {
    const changeLimits = readLimitChange(limitChanges);
    return this.dataSource.transaction(async (manager) => {
      const keys = await lockKeys(manager, actor, ids);
      for (const key of keys) {
        const tags = changeTags(key, addTags, removeTags);
        await changeApiKey(manager, this.audit, actor, key, { enabled, expiresAt, limits: changeLimits(key), tags });
      }
      return toResult(ids, keys);
    });
  }

  /**
   * Gives all keys new secrets or, after an error, none.
   *
   * @throws AppError 409 if a key has expired
   */
  rotate(actor: Actor, ids: readonly string[], gracePeriodSeconds: number): Promise<BulkRotatedApiKeysDto> {
    return this.dataSource.transaction(async (manager) => {
      const keys = await lockKeys(manager, actor, ids);
      const rotated = new Map<string, string>();
      for (const key of keys) {
        const secret = await rotateApiKey({ manager, audit: this.audit }, actor, key, gracePeriodSeconds);
        rotated.set(key.id, secret);
      }
      const { notFoundIds } = toResult(ids, keys);
      return { apiKeys: ids.flatMap((id) => toRotated(id, rotated.get(id))), notFoundIds };
    });
  }

  /** Deletes all keys or, after an error, none. Once this returns, no replica accepts any of their secrets. */
  async delete(actor: Actor, ids: readonly string[]): Promise<BulkResultDto> {
    const result = await this.dataSource.transaction(async (manager) => {
      const keys = await lockKeys(manager, actor, ids);
      await deleteApiKeys(
        manager,
        keys.map(({ id }) => id),
      );
      for (const { id, name, hint } of keys) {
        await this.audit.record(manager, actor, {
          action: 'api-key.delete',
          target: { kind: 'api-key', id, name, hint },
        });
      }
      return toResult(ids, keys);
    });
    await deleteCountersOfDeletedKeys(this.dataSource.manager, actor.organizationId);
    return result;
  }
}

/** Locks the organization, then its keys, in the order in which every transaction locks them. */
async function lockKeys(manager: EntityManager, { organizationId }: Actor, ids: readonly string[]): Promise<ApiKey[]> {
  await lockOrganization(manager, organizationId);
  return manager.find(ApiKey, {
    where: { id: In(ids), organizationId },
    order: { createdAt: 'ASC', id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
}

/** The tags that a key will have; undefined if no tags were requested. */
function changeTags(
  { name, tags }: ApiKey,
  added: readonly string[] | undefined,
  removed: readonly string[] = [],
): string[] | undefined {
  if (added === undefined && removed.length === 0) return undefined;
  const kept = tags.filter((tag) => !removed.includes(tag));
  const changed = [...new Set([...kept, ...(added ?? [])])].sort();
  if (changed.length <= maxTags) return changed;
  throw invalidField('addTags', `${name} would have ${changed.length} tags. A key has at most ${maxTags}.`);
}

const toRotated = (id: string, key: string | undefined) => (key === undefined ? [] : [{ id, key }]);

function toResult(ids: readonly string[], keys: readonly ApiKey[]): BulkResultDto {
  const found = new Set(keys.map(({ id }) => id));
  return { ids: ids.filter((id) => found.has(id)), notFoundIds: ids.filter((id) => !found.has(id)) };
}
