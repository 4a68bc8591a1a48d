import type { DataSource } from 'typeorm';
import type { Origin } from '../access/principal.js';
import type { AuditService } from '../audit/audit.service.js';
import { hashLinkToken } from '../common/link-token.js';
import type { JwtSecrets } from '../config/jwt-secret.js';
import { organizationIdsOf } from '../organizations/memberships.service.js';
import { deriveLinkToken, findLinkToken } from './link-tokens.js';
import type { QueuedMail } from './mail-queue.js';

interface Account {
  id: string;
  email: string;
  /** Of the account's open link, if it isn't older than the request. */
  tokenHash: Buffer | null;
}

/**
 * Stores the hash of a password reset link, which replaces an older one, and records the request. Here instead of in the
 * request, so that the response takes as long for unknown emails.
 *
 * @returns the secret of the link; undefined for an unknown email, and for a request that is older than an hour or than
 *   the account's current link
 */
export function prepareReset(
  dataSource: DataSource,
  audit: AuditService,
  secrets: JwtSecrets,
  { id: mailId, email, createdAt, data }: QueuedMail,
): Promise<string | undefined> {
  return dataSource.transaction(async (manager) => {
    const [account] = await manager.query<Account[]>(
      `select users.id, email, token_hash as "tokenHash"
       from users left join password_resets on user_id = users.id and password_resets.created_at >= $2
       where email = $1 and $2 > clock_timestamp() - interval '1 hour' for update of users`,
      [email, createdAt],
    );
    if (account === undefined) return undefined;
    // Sent before.
    if (account.tokenHash !== null) return findLinkToken(secrets, mailId, account.tokenHash);
    const token = deriveLinkToken(secrets[0], mailId);
    await manager.query(
      `insert into password_resets (user_id, token_hash, expires_at) values ($1, $2, now() + interval '1 hour')
       on conflict (user_id) do update
         set token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at`,
      [account.id, hashLinkToken(token)],
    );
    const origin = data['origin'] as Origin;
    const target = { kind: 'user', id: account.id, name: account.email } as const;
    for (const organizationId of await organizationIdsOf(manager, account.id)) {
      const actor = { id: account.id, email: account.email, organizationId, origin };
      await audit.record(manager, actor, { action: 'password.reset-request', target });
    }
    return token;
  });
}
