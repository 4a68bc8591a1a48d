import type { EntityManager } from 'typeorm';
import { loadFragment, loadStatement } from '../database/sql-file.js';
import type { FormerHolderDto } from './dto/former-holder.dto.js';

/** SQL for the keys of `:organizationId` with secrets that former members know. */
export const keysKnownToFormerMembers = loadFragment('api-keys/keys-known-to-former-members.sql', {
  fragments: { shown_condition: 'true', key_condition: 'true' },
}).text;

/** Exported for the test that compares it with the schema. */
export const selectFormerHolders = loadStatement('api-keys/former-members-who-know-key.sql', {
  parameters: ['id', 'organizationId'],
  // With `=`, PostgreSQL reads the events of this key only, however many the actor has.
  fragments: { shown_condition: 'actor_id = former.id and target_id = :id', key_condition: 'id = :id' },
});

/** The same for the keys of a list. */
export const selectFormerHoldersOfKeys = loadStatement('api-keys/former-members-who-know-keys.sql', {
  parameters: ['ids', 'organizationId'],
});

/** The former members and deleted service accounts that know a secret of an active key. */
export async function readFormerHolders(
  manager: EntityManager,
  key: { id: string; organizationId: string },
): Promise<FormerHolderDto[]> {
  return manager.query(selectFormerHolders.text, selectFormerHolders.bind(key));
}

/** The same for the keys of a list. Returns a function of a key's id. */
export async function readFormerHoldersOf(
  manager: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<(id: string) => FormerHolderDto[]> {
  const values = selectFormerHoldersOfKeys.bind({ ids, organizationId });
  const rows = await manager.query<(FormerHolderDto & { id: string })[]>(selectFormerHoldersOfKeys.text, values);
  return (id) => rows.filter((row) => row.id === id).map(({ secret, kind, name }) => ({ secret, kind, name }));
}
