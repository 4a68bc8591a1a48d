import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import type { TestApp } from '../setup/test-app.js';
import type { Member } from './organizations.js';

export interface CreatedKey {
  id: string;
  key: string;
}

/** A key of the member's organization. */
export function createApiKey({ app }: TestApp, member: Member, name = 'A key'): Promise<CreatedKey> {
  const { userId: id, organizationId } = member;
  return app.get(ApiKeysService).create({ kind: 'user', id, organizationId, permissions: [] }, { name });
}
