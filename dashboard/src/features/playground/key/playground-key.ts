import { api } from '../../../api/api.js';
import { bearerHeader, publicApi } from '../../../api/public-api.js';
import type { Model } from '../../../api/schema.js';
import { ServiceError, unwrap } from '../../../api/service-error.js';

/** A verified key, kept in memory only while the page is open. */
export interface PlaygroundKey {
  key: string;
  /** Models available to the key. */
  models: Model[];
  /** For temporary keys; ISO 8601. */
  expiresAt?: string;
}

const temporaryKeyName = 'Playground';
const temporaryKeyMilliseconds = 3_600_000;

/**
 * Verifies a key and lists its models.
 * @throws ServiceError with an error for the field `key` if the key is rejected
 */
export async function verifyKey(key: string): Promise<PlaygroundKey> {
  const { data: models } = await unwrap(publicApi.GET('/v1/models', { headers: bearerHeader(key) })).catch(
    toFieldError,
  );
  return { key, models };
}

/** Creates a key that expires in an hour. */
export async function createTemporaryKey(): Promise<PlaygroundKey> {
  const expiresAt = new Date(Date.now() + temporaryKeyMilliseconds).toISOString();
  const { key } = await unwrap(api.POST('/api-keys', { body: { name: temporaryKeyName, expiresAt } }));
  return { ...(await verifyKey(key)), expiresAt };
}

/** Returns an error message if the text can't be a key, because HTTP headers can't contain it. */
export function checkKeyFormat(text: string): string | undefined {
  if (text.trim() === '') return 'Enter an API key.';
  return /^[\x21-\x7e]+$/.test(text.trim()) ? undefined : "API keys can't contain spaces or accented letters.";
}

function toFieldError(error: unknown): never {
  if (!(error instanceof ServiceError) || error.status !== 401) throw error;
  const { message, code, status, requestId } = error;
  throw new ServiceError({ detail: message, code, requestId, errors: [{ field: 'key', message }] }, status);
}
