import type { ClientBase } from 'pg';

/** A hash of random bytes, which no secret has. */
const unknownHash = 'sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))';

/**
 * Revokes the invitations and client secrets in a restored database: those that were withdrawn or rotated after the backup
 * would work again. Both stay listed, so that they can be renewed.
 *
 * @param client in the transaction of the restore
 * @returns sentences for the operator, each with a leading space
 */
export async function revokeRestoredSecrets(client: ClientBase): Promise<string> {
  const invitations = await client.query(
    `update invitations set token_hash = ${unknownHash}, expires_at = least(expires_at, now())`,
  );
  const accounts = await client.query(
    `update service_accounts set secret_hash = ${unknownHash}, secret_version = secret_version + 1,
       previous_secret_hash = null, previous_secret_expires_at = null`,
  );
  const sentences = [
    accounts.rowCount &&
      ` Rotate the client secrets of the service accounts (${accounts.rowCount}): they were revoked.`,
    invitations.rowCount && ` Invite again (${invitations.rowCount}): open invitations have expired.`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join('');
}
