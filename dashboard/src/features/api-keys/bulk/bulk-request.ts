import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import type { BulkRotatedApiKeys, BulkUpdateApiKeys, IncreaseLimit } from '../../../api/schema.js';
import { ignoreNotFound, ServiceError, unwrap } from '../../../api/service-error.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { runConcurrently } from '../../../lib/run-concurrently.js';

const idsOf = (keys: readonly ListedApiKey[]) => keys.map(({ id }) => id);

/** Changes all keys or, after an error, none. Returns how many still existed. */
export function updateKeys(keys: readonly ListedApiKey[], changes: Omit<BulkUpdateApiKeys, 'ids'>): Promise<number> {
  const body = { ...changes, ids: idsOf(keys) };
  return finish(unwrap(api.POST('/api-keys/bulk-update', { body })));
}

/** Adds limits to all keys or, after an error, none. Errors name the fields of the form, which are those of `limits`. */
export function addLimits(
  keys: readonly ListedApiKey[],
  limits: NonNullable<BulkUpdateApiKeys['setLimits']>,
): Promise<number> {
  return updateKeys(keys, { setLimits: limits }).catch(renameFields(/^setLimits\b/, 'limits'));
}

/** Increases a limit of all keys or, after an error, of none. Errors name the fields of the form, which are in `increases`. */
export function increaseLimits(keys: readonly ListedApiKey[], increase: IncreaseLimit): Promise<number> {
  return updateKeys(keys, { increaseLimits: [increase] }).catch(renameFields(/^increaseLimits\.0\b/, 'increases'));
}

function renameFields(sent: RegExp, entered: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ServiceError)) throw error;
    const { message: detail, code, requestId, status, fields } = error;
    const errors = fields.map(({ field, message }) => ({ field: field.replace(sent, entered), message }));
    throw new ServiceError({ detail, code, requestId, errors }, status);
  };
}

/** Deletes all keys or, after an error, none. Returns how many still existed. */
export function deleteKeys(keys: readonly ListedApiKey[]): Promise<number> {
  return finish(unwrap(api.POST('/api-keys/bulk-delete', { body: { ids: idsOf(keys) } })));
}

/** Gives all keys new secrets or, after an error, none. The keys may have been rotated although the response was lost. */
export function rotateKeys(keys: readonly ListedApiKey[], gracePeriodSeconds: number): Promise<BulkRotatedApiKeys> {
  const body = { ids: idsOf(keys), gracePeriodSeconds };
  return unwrap(api.POST('/api-keys/bulk-rotate', { body })).finally(() => void refresh('api-keys'));
}

/**
 * Ends the grace periods of keys that were rotated. Keys that no longer exist are skipped. The requests share an ID, so that the
 * audit log shows them as one change.
 */
export function revokePreviousSecrets(keys: readonly ListedApiKey[]): Promise<void> {
  const headers = { 'x-request-id': randomId() };
  const revoke = ({ id }: ListedApiKey) =>
    ignoreNotFound(api.DELETE('/api-keys/{id}/previous-secret', { params: { path: { id } }, headers }));
  return runConcurrently(keys, maxConcurrent, revoke).finally(() => void refresh('api-keys'));
}

/** Like a UUID without hyphens. Browsers have no `randomUUID` for pages without TLS. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const maxConcurrent = 4;

/** Keys that one request can name. */
const maxIds = 100;

/** Keys by id, with the expiry of their previous secrets, and who knows a secret and shouldn't. */
export function keySecretsQuery(keys: readonly ListedApiKey[]) {
  return queryOptions({
    queryKey: ['api-keys', 'secrets', idsOf(keys)],
    queryFn: async ({ signal }) => {
      const found = await readKeys(keys, 'knownToFormerMembers', signal);
      return new Map(found.map((key) => [key.id, key]));
    },
    // Some keys may be left out.
    placeholderData: keepPreviousData,
  });
}

/** The keys as they are now, without those that no longer exist; as they were if the service doesn't respond. */
export async function readAgain(keys: readonly ListedApiKey[]): Promise<readonly ListedApiKey[]> {
  try {
    return await readKeys(keys, 'limits');
  } catch {
    return keys;
  }
}

async function readKeys(
  keys: readonly ListedApiKey[],
  include: 'limits' | 'knownToFormerMembers',
  signal?: AbortSignal,
): Promise<ListedApiKey[]> {
  const found: ListedApiKey[] = [];
  for (let start = 0; start < keys.length; start += maxIds) {
    const query = { id: idsOf(keys.slice(start, start + maxIds)), include: [include], perPage: maxIds };
    found.push(...(await unwrap(api.GET('/api-keys', { params: { query }, signal }))).apiKeys);
  }
  return found;
}

async function finish(request: Promise<{ ids: string[] }>): Promise<number> {
  try {
    return (await request).ids.length;
  } finally {
    void refresh('api-keys', 'usage');
  }
}

/** Such as "2 keys disabled. 1 key no longer existed." */
export function describeOutcome(count: number, requested: number, done: string): string {
  const missing = requested - count;
  return `${pluralize(count, 'key')} ${done}.${missing === 0 ? '' : ` ${pluralize(missing, 'key')} no longer existed.`}`;
}
