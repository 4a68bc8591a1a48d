import type { EntityManager } from 'typeorm';
import type { Actor } from '../access/principal.js';
import type { AuditService } from '../audit/audit.service.js';
import { AppError } from '../common/errors/app-error.js';
import { currentTime } from '../database/clock.js';
import { deleteApiKeys } from './api-key-queries.js';
import { ApiKey } from './api-key.entity.js';

/** What can happen to the keys of a member who is removed, or of a service account that is deleted. */
export const keyRemovals = ['keep', 'disable', 'delete'] as const;
export type KeyRemoval = (typeof keyRemovals)[number];

/** How many keys one request changes. Other changes of the organization wait for it. */
export const maxRemovedKeys = 1000;

/**
 * Disables or deletes all keys that a user or service account created in the actor's organization, each with its audit event. Once the
 * transaction is committed, no replica accepts them. Call `deleteCountersOfDeletedKeys` then.
 *
 * @param manager of a transaction that has locked the organization
 * @returns the number of keys
 * @throws AppError 409 for more than `maxRemovedKeys` keys
 */
export async function disableOrDeleteKeysOf(
  { manager, audit }: { manager: EntityManager; audit: AuditService },
  actor: Actor,
  creator: { createdById: string } | { createdByServiceAccountId: string },
  removal: Exclude<KeyRemoval, 'keep'>,
): Promise<number> {
  const { organizationId } = actor;
  const keys = await manager.find(ApiKey, {
    where: { organizationId, ...creator, ...(removal === 'disable' && { enabled: true }) },
    // The same order for all, so that two such requests can't deadlock.
    order: { id: 'ASC' },
    take: maxRemovedKeys + 1,
    lock: { mode: 'pessimistic_write' },
  });
  if (keys.length > maxRemovedKeys) {
    throw new AppError(
      'conflict',
      `These are more than ${maxRemovedKeys.toLocaleString('en')} API keys, too many for one request. Disable or delete some of them first.`,
    );
  }
  const ids = keys.map(({ id }) => id);
  if (removal === 'delete') await deleteApiKeys(manager, ids);
  else {
    await manager.query(
      `update api_keys set enabled = false, updated_at = ${currentTime} where id = any ($1::uuid[])`,
      [ids],
    );
  }
  for (const { id, name, hint } of keys) {
    const target = { kind: 'api-key', id, name, hint } as const;
    await audit.record(
      manager,
      actor,
      removal === 'delete'
        ? { action: 'api-key.delete', target }
        : { action: 'api-key.update', target, before: { enabled: true }, after: { enabled: false } },
    );
  }
  return keys.length;
}
