import type { EntityManager } from 'typeorm';
import type { Actor } from '../access/principal.js';
import type { AuditService } from '../audit/audit.service.js';
import type { ApiKey } from './api-key.entity.js';
import { replaceSecret } from './api-key-secret-queries.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from './api-key.token.js';

/**
 * Gives a key a new secret and writes the audit event. If the key leaked and is disabled, the current secret is revoked
 * regardless of the grace period: enabling the key must not bring it back.
 *
 * @param manager of a transaction that has locked the key
 * @param requestedSeconds how long the current secret keeps working, but no longer than the key; 0 revokes it immediately
 * @returns the new full key, which isn't stored
 * @throws AppError 409 for an expired key
 */
export async function rotateApiKey(
  { manager, audit }: { manager: EntityManager; audit: AuditService },
  actor: Actor,
  { id, name, hint: oldHint, enabled, leakedSecret }: ApiKey,
  requestedSeconds: number,
): Promise<string> {
  const key = generateApiKey();
  const hint = hintOfApiKey(key);
  const isRevoked = leakedSecret === 'current' && !enabled;
  const gracePeriodSeconds = isRevoked ? 0 : requestedSeconds;
  await replaceSecret(manager, { id, name }, { hash: hashApiKey(key), hint, gracePeriodSeconds });
  await audit.record(manager, actor, {
    action: 'api-key.rotate',
    target: { kind: 'api-key', id, name, hint },
    before: { hint: oldHint },
    after: { hint, gracePeriodSeconds },
  });
  return key;
}
