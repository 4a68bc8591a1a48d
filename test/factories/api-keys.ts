import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
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
