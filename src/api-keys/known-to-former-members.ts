import type { EntityManager } from 'typeorm';
import { loadFragment, loadStatement } from '../database/sql-file.js';
import type { FormerHolderDto } from './dto/former-holder.dto.js';

const all = { shown_condition: 'true', key_condition: 'true' };

/** SQL for the keys of `:organizationId` with secrets that former members know. */
export const keysKnownToFormerMembers = loadFragment('api-keys/keys-known-to-former-members.sql', {
  fragments: all,
}).text;

/** Exported for the test that compares it with the schema. */
export const selectFormerHolders = loadStatement('api-keys/former-members-who-know-key.sql', {
  parameters: ['id', 'organizationId'],
  // With `=`, PostgreSQL reads the events of this key only, however many the actor has.
  fragments: { shown_condition: 'actor_id = former.id and target_id = :id', key_condition: 'id = :id' },
});

/** The former members and deleted service accounts that know a secret of an active key. */
export async function readFormerHolders(
  manager: EntityManager,
  key: { id: string; organizationId: string },
): Promise<FormerHolderDto[]> {
  return manager.query(selectFormerHolders.text, selectFormerHolders.bind(key));
}
