import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { ProviderLogout } from './logout-token.js';
import type { ProviderClaims } from './provider-claims.js';

/** Far longer than a sign-in takes from the provider's ID token to the session: two provider requests and the database. */
const memoryMinutes = 15;

/** Separates these advisory locks from others on the same names. */
const lockSeed = 1;

/**
 * Remembers a logout for sign-ins whose ID token is older but whose session does not exist yet. Waits for sign-ins that
 * are opening a session of the same subject or provider session, so that the caller then finds their sessions.
 *
 * @param manager of the transaction that ends the existing sessions afterwards
 */
export async function rememberLogout(manager: EntityManager, logout: ProviderLogout): Promise<void> {
  const { subject, session } = namesOf(logout);
  for (const name of [subject, session]) {
    if (name !== null) await manager.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', [name, lockSeed]);
  }
  await manager.query(
    `delete from provider_logouts where id in (
       select id from provider_logouts where expires_at < now() for update skip locked)`,
  );
  await manager.query(
    `insert into provider_logouts (id, subject_hash, session_hash, issued_at, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
    [uuidv7(), hashName(subject), hashName(session), logout.issuedAt, memoryMinutes],
  );
}

/**
 * Whether the person has signed out at the provider since it issued this ID token, or in the same second. Holds back
 * logouts of the same subject and provider session until the transaction ends.
 *
 * @param manager of the transaction that opens the session afterwards
 */
export async function hasLoggedOut(manager: EntityManager, claims: ProviderClaims): Promise<boolean> {
  const { subject, session } = namesOf(claims);
  // In the same order as above: two transactions never wait for each other.
  for (const name of [subject, session]) {
    if (name === null) continue;
    await manager.query('select pg_advisory_xact_lock_shared(hashtextextended($1, $2))', [name, lockSeed]);
  }
  const found = await manager.query<unknown[]>(
    `select from provider_logouts
      where expires_at > now() and issued_at >= $3
        and ((subject_hash = $1 and (session_hash is null or $2::bytea is null or session_hash = $2))
          or (subject_hash is null and session_hash = $2))
      limit 1`,
    [hashName(subject), hashName(session), claims.issuedAt],
  );
  return found.length > 0;
}

interface Names {
  subject: string | null;
  session: string | null;
}

/** Names that are unique over all providers; null for what the token doesn't name. */
function namesOf({
  issuer,
  subject,
  providerSessionId,
}: Pick<ProviderLogout, 'issuer' | 'subject' | 'providerSessionId'>): Names {
  return {
    subject: subject === undefined ? null : JSON.stringify(['sub', issuer, subject]),
    session: providerSessionId === undefined ? null : JSON.stringify(['sid', issuer, providerSessionId]),
  };
}

function hashName(name: string | null): Buffer | null {
  return name === null ? null : createHash('sha256').update(name).digest();
}
