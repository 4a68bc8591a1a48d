import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { toByteaArray } from '../database/array-literal.js';
import { loadStatement } from '../database/sql-file.js';
import type { LeakOutcome, ReportedSecret } from './leak-outcome.js';
import type { LeakReportEntry } from './read-reports.js';

export const lockReportedKeys = loadStatement('leaked-keys/lock-reported-keys.sql', { parameters: ['hashes'] });
export const findReportedSecrets = loadStatement('leaked-keys/find-reported-secrets.sql', { parameters: ['hashes'] });
export const addLeakReports = loadStatement('leaked-keys/add-leak-reports.sql', {
  parameters: ['hashes', 'places', 'organizationIds', 'apiKeyIds', 'secrets'],
});
export const markLeakedKeys = loadStatement('leaked-keys/mark-leaked-keys.sql', {
  parameters: ['ids', 'disables', 'revokesPrevious', 'secrets', 'urls', 'sources'],
});

/** A place where a secret of an API key was found. */
export interface Leak {
  found: ReportedSecret;
  entry: LeakReportEntry;
}

/** A leak, and what it does to the key. */
export interface HandledLeak extends Leak {
  outcome: LeakOutcome;
}

/**
 * Locks the keys of reported secrets until the transaction ends, and finds what the secrets belong to. Two statements: the
 * second sees what transactions changed that the first waited for.
 *
 * @param hashes SHA-256 of the secrets, hexadecimal
 */
export async function lockReportedSecrets(manager: EntityManager, hashes: string[]): Promise<ReportedSecret[]> {
  const values = { hashes: toByteaArray(hashes) };
  await manager.query(lockReportedKeys.text, lockReportedKeys.bind(values));
  return manager.query<ReportedSecret[]>(findReportedSecrets.text, findReportedSecrets.bind(values));
}

/** Notes where secrets were found, and returns the leaks that weren't reported before. */
export async function addReports(manager: EntityManager, leaks: readonly Leak[]): Promise<Leak[]> {
  const values = addLeakReports.bind({
    hashes: toByteaArray(leaks.map(({ found }) => found.hash)),
    places: toByteaArray(leaks.map(({ entry }) => placeHashOf(entry))),
    organizationIds: leaks.map(({ found }) => found.organizationId),
    apiKeyIds: leaks.map(({ found }) => found.apiKeyId),
    secrets: leaks.map(({ found }) => found.secret),
  });
  const added = await manager.query<{ position: number }[]>(addLeakReports.text, values);
  return added.flatMap(({ position }) => leaks[position] ?? []);
}

/** Notes on keys that they leaked, disables them, and revokes their previous secrets. */
export async function markKeys(manager: EntityManager, leaks: readonly HandledLeak[]): Promise<void> {
  // The current secret first: of several places, the first is noted.
  const ordered = leaks.toSorted((one, other) => one.found.secret.localeCompare(other.found.secret));
  const firsts = [...new Map(ordered.toReversed().map((leak) => [leak.found.apiKeyId, leak])).values()];
  const has = (wanted: LeakOutcome) => {
    const ids = new Set(leaks.filter(({ outcome }) => outcome === wanted).map(({ found }) => found.apiKeyId));
    return firsts.map(({ found }) => ids.has(found.apiKeyId));
  };
  await manager.query(
    markLeakedKeys.text,
    markLeakedKeys.bind({
      ids: firsts.map(({ found }) => found.apiKeyId),
      disables: has('disabled'),
      revokesPrevious: has('previous-secret-revoked'),
      secrets: firsts.map(({ found }) => found.secret),
      urls: firsts.map(({ entry }) => entry.url),
      sources: firsts.map(({ entry }) => entry.source),
    }),
  );
}

/** Identifies the place of a report. */
export function placeHashOf({ url, source }: Pick<LeakReportEntry, 'url' | 'source'>): string {
  return createHash('sha256')
    .update(JSON.stringify([source, url]))
    .digest('hex');
}
