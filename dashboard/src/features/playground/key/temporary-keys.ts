import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import type { ApiKey } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import type { PlaygroundKey } from './playground-key.js';

const name = 'Playground';
const lifetimeMilliseconds = 3_600_000;
const toleranceMilliseconds = 60_000;

/** The ids of those to delete when the page is closed. */
const pending = new Set<string>();

window.addEventListener('pagehide', () => pending.forEach((id) => void deleteTemporaryKey(id)));

/**
 * Creates a key that expires in an hour.
 *
 * @param isDeletable whether the user may delete keys; it's then deleted when the page is closed
 */
export async function createTemporaryKey(isDeletable: boolean): Promise<PlaygroundKey> {
  const expiresAt = new Date(Date.now() + lifetimeMilliseconds).toISOString();
  const request = api.POST('/api-keys', { body: { name, expiresAt } });
  const { key } = await unwrap(request);
  const { response } = await request;
  const id = response.headers.get('location')?.split('/').at(-1) ?? '';
  if (isDeletable) pending.add(id);
  return { key, temporary: { id, expiresAt } };
}

/** Deletes a temporary key, also while the page is being closed. If that fails, it's deleted once it has expired. */
export async function deleteTemporaryKey(id: string): Promise<void> {
  if (!pending.delete(id)) return;
  await api.DELETE('/api-keys/{id}', { params: { path: { id } }, keepalive: true }).catch(() => undefined);
}

/** Leaves a temporary key to its expiry, because it was rejected. */
export function abandonTemporaryKey(id: string): void {
  pending.delete(id);
}

/** Deletes the user's temporary keys that have expired, such as those of a browser that crashed. */
export async function deleteExpiredKeys(userId: string): Promise<void> {
  const query = { exactName: name, state: 'expired', creatorId: userId } as const;
  const { apiKeys } = await unwrap(api.GET('/api-keys', { params: { query } }));
  const expired = apiKeys.filter(isTemporary);
  await Promise.all(expired.map(({ id }) => api.DELETE('/api-keys/{id}', { params: { path: { id } } })));
  if (expired.length > 0) await refresh('api-keys');
}

/** Whether a key with this name has the lifetime of temporary ones, unlike one that the user has named so. */
function isTemporary({ createdAt, expiresAt = '' }: Pick<ApiKey, 'createdAt' | 'expiresAt'>): boolean {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
  return Math.abs(lifetime - lifetimeMilliseconds) < toleranceMilliseconds;
}
