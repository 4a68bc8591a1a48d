import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { ProviderLogout } from './logout-token.js';
import type { ProviderClaims } from './provider-claims.js';

/** Far longer than the time between a sign-in's ID token and its session: two provider requests and the database. */
const memoryMinutes = 15;

/** Keeps these advisory locks apart from others on the same names. */
const lockSeed = 1;

/**
 * Stores a logout for sign-ins with an older ID token whose session doesn't exist yet. Waits for sign-ins that are just
 * opening a session of the same subject or provider session, so the caller then finds their sessions.
 *
 * @param manager of the transaction that then ends the existing sessions
 */
export async function rememberLogout(manager: EntityManager, logout: ProviderLogout): Promise<void> {
  const { subject, session } = namesOf(logout);
  for (const name of [subject, session]) {
    if (name !== null) await manager.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', [name, lockSeed]);
  }
  await manager.query(
    `insert into provider_logouts (id, subject_hash, session_hash, issued_at, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
    [uuidv7(), hashName(subject), hashName(session), logout.issuedAt, memoryMinutes],
  );
}

/**
 * Whether the person signed out at the provider after it issued this ID token, or in the same second. Makes logouts of
 * the same subject and provider session wait until the transaction ends.
 *
 * @param manager of the transaction that then opens the session
 */
export async function hasLoggedOut(manager: EntityManager, claims: ProviderClaims): Promise<boolean> {
  const { subject, session } = namesOf(claims);
  // In the same order as above, to avoid deadlocks.
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

/** Names that are unique across providers; null for a missing claim. */
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
