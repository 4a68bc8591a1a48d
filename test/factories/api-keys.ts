import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import type { Member } from './organizations.js';

export interface CreatedKey {
  id: string;
  key: string;
}

/** Creates a key in the member's organization, by default without expiry. */
export function createApiKey(app: TestApp, member: Member, name = 'A key', expiresAt?: Date): Promise<CreatedKey> {
  return createRestrictedKey(app, member, { name, expiresAt });
}

/** Creates a key with settings in the member's organization. */
export function createRestrictedKey(
  { app }: TestApp,
  member: Member,
  settings: Partial<Parameters<ApiKeysService['create']>[1]>,
): Promise<CreatedKey> {
  const { userId: id, organizationId } = member;
  const origin = { address: '127.0.0.1', userAgent: undefined };
  const actor = { kind: 'user' as const, id, organizationId, permissions: [], origin };
  return app.get(ApiKeysService).create(actor, { name: 'A key', ...settings });
}

/** Creates a key with a JWT, such as that of a service account. */
export async function createApiKeyWith(
  { url }: Pick<TestApp, 'url'>,
  { token }: Pick<Member, 'token'>,
  name = 'A key',
): Promise<CreatedKey> {
  const { status, headers, body, text } = await call(url, 'POST /api-keys', { token, body: { name } });
  if (status !== 201) throw new Error(text);
  return { id: headers.get('location')?.split('/').at(-1) ?? '', key: (body as Pick<CreatedKey, 'key'>).key };
}

/**
 * Rotates a key with a JWT.
 *
 * @param gracePeriodSeconds how long the current secret keeps working; by default, it's revoked
 */
export async function rotateApiKey(
  { url }: Pick<TestApp, 'url'>,
  { id }: Pick<CreatedKey, 'id'>,
  { token }: Pick<Member, 'token'>,
  gracePeriodSeconds = 0,
): Promise<void> {
  const { status, text } = await call(url, `POST /api-keys/${id}/rotate`, { token, body: { gracePeriodSeconds } });
  if (status !== 200) throw new Error(text);
}
