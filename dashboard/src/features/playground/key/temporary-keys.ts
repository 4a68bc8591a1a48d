import { api } from '../../../api/api.js';
import { unwrap } from '../../../api/service-error.js';
import type { PlaygroundKey } from './playground-key.js';

const name = 'Playground';
const lifetimeMilliseconds = 3_600_000;

/** The ids of those to delete when the page is closed. */
const pending = new Set<string>();

window.addEventListener('pagehide', () => pending.forEach((id) => void deleteTemporaryKey(id)));

/**
 * Creates a key that expires in an hour, and is then deleted.
 *
 * @param isDeletable whether the user may delete keys; it's deleted earlier, when the page is closed
 */
export async function createTemporaryKey(isDeletable: boolean): Promise<PlaygroundKey> {
  const expiresAt = new Date(Date.now() + lifetimeMilliseconds).toISOString();
  const request = api.POST('/api-keys', { body: { name, expiresAt, deleteWhenExpired: true } });
  const { key } = await unwrap(request);
  const { response } = await request;
  const id = response.headers.get('location')?.split('/').at(-1) ?? '';
  if (isDeletable) pending.add(id);
  return { key, temporary: { id, expiresAt } };
}

/** Deletes a temporary key, also while the page is being closed. If that fails, the service deletes it once it has expired. */
export async function deleteTemporaryKey(id: string): Promise<void> {
  if (!pending.delete(id)) return;
  await api.DELETE('/api-keys/{id}', { params: { path: { id } }, keepalive: true }).catch(() => undefined);
}

/** Leaves a temporary key to its expiry, because it was rejected. */
export function abandonTemporaryKey(id: string): void {
  pending.delete(id);
}
