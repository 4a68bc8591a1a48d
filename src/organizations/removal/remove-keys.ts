import type { EntityManager } from 'typeorm';
import type { Permission } from '../../access/permissions.js';
import type { Actor } from '../../access/principal.js';
import { disableOrDeleteKeysOf, type KeyRemoval } from '../../api-keys/keys-of-creator.js';
import type { AuditService } from '../../audit/audit.service.js';
import { deleteCountersOfDeletedKeys } from '../../limits/limit-queries.js';
import { assertHeld } from '../access-changes.service.js';

/** Of the actor, besides the one for removing the creator. */
const neededFor = { disable: 'update-api-keys', delete: 'delete-api-keys' } as const;

/** For the documentation of routes that take a `KeyRemovalQueryDto`. */
export const removalPermissions = '`update-api-keys` for `keys=disable`, or `delete-api-keys` for `keys=delete`';

interface RemovalContext {
  /** Of a transaction that has locked the organization. */
  manager: EntityManager;
  audit: AuditService;
  actor: Actor;
  /** The actor's current permissions. */
  held: readonly Permission[];
}

/**
 * Keeps, disables or deletes the keys of a member who is removed, or of a service account that is deleted. Call
 * `finishRemoval` once the transaction is committed.
 *
 * @returns the number of keys that were disabled or deleted
 * @throws AppError 403 if the actor may not change or delete keys but asks for it; 409 for too many keys
 */
export async function removeKeysOf(
  creator: Parameters<typeof disableOrDeleteKeysOf>[2],
  removal: KeyRemoval,
  { manager, audit, actor, held }: RemovalContext,
): Promise<number> {
  if (removal === 'keep') return 0;
  assertHeld(held, [neededFor[removal]], 'Disabling or deleting the API keys requires it.');
  return disableOrDeleteKeysOf({ manager, audit }, actor, creator, removal);
}

/** Deletes the counters of deleted keys. Within the transaction that deleted the keys, requests would wait for it. */
export async function finishRemoval(
  manager: EntityManager,
  { organizationId }: Actor,
  removal: KeyRemoval,
): Promise<void> {
  if (removal === 'delete') await deleteCountersOfDeletedKeys(manager, organizationId);
}

/** Ends the message of a response; empty if keys were kept. */
export function describeRemoval(removal: KeyRemoval, count: number): string {
  if (removal === 'keep') return '';
  const subject = count === 1 ? '1 API key was' : `${count} API keys were`;
  return ` ${subject} ${removal === 'disable' ? 'disabled' : 'deleted'}.`;
}
