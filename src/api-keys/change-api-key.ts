import type { EntityManager } from 'typeorm';
import type { Actor } from '../access/principal.js';
import { type AuditService, changedFields } from '../audit/audit.service.js';
import { foldText } from '../common/validation/fold-text.js';
import { currentTime } from '../database/clock.js';
import { addLimitCounters } from '../limits/limit-queries.js';
import { scheduleLimitChecks } from '../limits/notices/limit-checks.js';
import { showLimits } from '../limits/stored-limits.js';
import { checkExpiry } from './api-key-queries.js';
import { shortenGracePeriod } from './api-key-secret-queries.js';
import { ApiKey } from './api-key.entity.js';

/** What an update can change. */
export type KeySettings = Pick<
  ApiKey,
  'name' | 'enabled' | 'expiresAt' | 'models' | 'addresses' | 'limits' | 'note' | 'tags'
>;

/**
 * Changes a key and records it, unless nothing changes. If the expiry may change, lock the organization first.
 *
 * @param manager of a transaction that has locked the key
 * @returns whether anything changed
 * @throws AppError 400 if the new expiry is in the past or beyond the organization's limit
 */
export async function changeApiKey(
  manager: EntityManager,
  audit: AuditService,
  actor: Actor,
  key: ApiKey,
  wanted: { [Field in keyof KeySettings]?: KeySettings[Field] | undefined },
): Promise<boolean> {
  const { id, organizationId, hint } = key;
  const change = changedFields<KeySettings>(key, wanted);
  if (change === undefined) return false;
  const { before, after } = change;
  if (after.expiresAt !== undefined) await checkExpiry(manager, organizationId, after.expiresAt ?? undefined);
  await manager.update(
    ApiKey,
    { id },
    { ...after, ...(after.name && { foldedName: foldText(after.name) }), updatedAt: () => currentTime },
  );
  if (after.expiresAt) await shortenGracePeriod(manager, id);
  if (after.limits) {
    await addLimitCounters(manager, { id, organizationId }, key.limits, after.limits);
    await scheduleLimitChecks(manager, { id, organizationId }, after.limits);
  }
  await audit.record(manager, actor, {
    action: 'api-key.update',
    target: { kind: 'api-key', id, name: after.name ?? key.name, hint },
    before: showLimits(before),
    after: showLimits(after),
  });
  return true;
}
