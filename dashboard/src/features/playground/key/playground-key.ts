import { api } from '../../../api/api.js';
import { authorize, publicApi } from '../../../api/public-api.js';
import type { Model } from '../../../api/schema.js';
import { ServiceError, unwrap } from '../../../api/service-error.js';

/** A key that was accepted. It is kept in memory only, for as long as the page is open. */
export interface PlaygroundKey {
  key: string;
  /** What it can be used with. */
  models: Model[];
  /** When a temporary key expires, as ISO 8601. */
  expiresAt?: string;
}

const temporaryKeyName = 'Playground';
const temporaryKeyMilliseconds = 3_600_000;

/**
 * Finds out whether a key is accepted, and for which models.
 * @throws ServiceError that names the field `key` when the key is refused
 */
export async function checkKey(key: string): Promise<PlaygroundKey> {
  const { data: models } = await unwrap(publicApi.GET('/v1/models', { headers: authorize(key) })).catch(blameKey);
  return { key, models };
}

/** Creates a key that expires by itself within the hour. */
export async function createTemporaryKey(): Promise<PlaygroundKey> {
  const expiresAt = new Date(Date.now() + temporaryKeyMilliseconds).toISOString();
  const { key } = await unwrap(api.POST('/api-keys', { body: { name: temporaryKeyName, expiresAt } }));
  return { ...(await checkKey(key)), expiresAt };
}

/** Why a text cannot be a key at all; `undefined` when it can: HTTP headers take nothing else. */
export function checkKeyText(text: string): string | undefined {
  if (text.trim() === '') return 'Paste a key.';
  return /^[\x21-\x7e]+$/.test(text.trim()) ? undefined : 'A key has no spaces and no accented letters.';
}

function blameKey(error: unknown): never {
  if (!(error instanceof ServiceError) || error.status !== 401) throw error;
  const { message, code, status, requestId } = error;
  throw new ServiceError({ detail: message, code, requestId, errors: [{ field: 'key', message }] }, status);
}
