import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { AppError } from '../common/errors/app-error.js';
import { ApiKey } from './api-key.entity.js';

/**
 * A key of the principal's organization as it is until the transaction ends: whoever else would change it waits.
 *
 * @throws AppError 404 for an unknown, malformed or foreign id
 */
export async function lockApiKey(manager: EntityManager, { organizationId }: Principal, id: string): Promise<ApiKey> {
  const lock = { mode: 'pessimistic_write' } as const;
  const key = isUUID(id) ? await manager.findOne(ApiKey, { where: { id, organizationId }, lock }) : null;
  if (key === null) throw apiKeyNotFound();
  return key;
}

/** The same for every id that is not a key of the organization, whyever it is none. */
export const apiKeyNotFound = () => new AppError('not-found', 'There is no API key with this id in your organization.');
