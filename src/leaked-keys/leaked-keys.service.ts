import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { deleteApiKeys } from '../api-keys/api-key-queries.js';
import { hashApiKey, hintOfApiKey, isWellFormedApiKey } from '../api-keys/api-key.token.js';
import { AuditService } from '../audit/audit.service.js';
import { deleteCountersOfDeletedKeys } from '../limits/limit-queries.js';
import type { LeakLabelDto } from './dto/leaked-key.dto.js';
import { outcomeOf, type ReportedSecret } from './leak-outcome.js';
import { addReports, type HandledLeak, type Leak, lockReportedSecrets, markKeys, placeHashOf } from './leak-queries.js';
import type { LeakReportEntry } from './read-reports.js';

/** Places that are recorded of each secret. Someone with a key could otherwise fill the audit log with invented ones. */
export const maxPlaces = 20;

/** A report with the hash of its token. */
interface HashedEntry {
  entry: LeakReportEntry;
  /** SHA-256, hexadecimal. Undefined if the token isn't a well-formed key. */
  hash: string | undefined;
}

/** Does to leaked keys what their organizations chose, in one transaction with the audit events. */
@Injectable()
export class LeakedKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /**
   * Handles reports of leaked secrets. Once this returns, no replica accepts those that were revoked. Runs the same
   * statements whether the tokens are secrets of keys or not; only a new leak adds its audit event.
   *
   * @returns a label for each report, in the same order
   */
  async report(entries: readonly LeakReportEntry[]): Promise<LeakLabelDto[]> {
    const hashed = entries.map((entry) => ({ entry, hash: hashOf(entry.token) }));
    const hashes = [...new Set(hashed.flatMap(({ hash }) => hash ?? []))];
    const found = hashes.length === 0 ? new Map<string, ReportedSecret>() : await this.handle(hashed, hashes);
    return hashed.map(({ entry: { token, type }, hash = '' }) => ({
      token_raw: token,
      token_type: type,
      label: found.has(hash) ? 'true_positive' : 'false_positive',
    }));
  }

  private async handle(hashed: HashedEntry[], hashes: string[]): Promise<Map<string, ReportedSecret>> {
    const { secrets, handled } = await this.dataSource.transaction(async (manager) => {
      const secrets = new Map((await lockReportedSecrets(manager, hashes)).map((secret) => [secret.hash, secret]));
      const added = await addReports(manager, selectLeaks(hashed, secrets));
      const handled = withOutcomes(added);
      const deleted = new Set(handled.filter(({ outcome }) => outcome === 'deleted').map(keyOf));
      const kept = handled.filter((leak) => leak.found.exists && !deleted.has(keyOf(leak)));
      await markKeys(manager, kept);
      await deleteApiKeys(manager, [...deleted]);
      for (const leak of handled) await this.record(manager, leak);
      return { secrets, handled };
    });
    const deletions = handled.filter(({ outcome }) => outcome === 'deleted');
    for (const organizationId of new Set(deletions.map(({ found }) => found.organizationId))) {
      await deleteCountersOfDeletedKeys(this.dataSource.manager, organizationId);
    }
    return secrets;
  }

  private record(manager: EntityManager, { found, entry, outcome }: HandledLeak): Promise<void> {
    const { apiKeyId: id, organizationId, name, secret } = found;
    return this.audit.record(
      manager,
      { kind: 'system', organizationId },
      {
        action: 'api-key.leak',
        target: { kind: 'api-key', id, name, hint: hintOfApiKey(entry.token) },
        after: { url: entry.url, source: entry.source, secret, outcome },
      },
    );
  }
}

/** Of several places of a secret, the first changes the key. */
function withOutcomes(leaks: readonly Leak[]): HandledLeak[] {
  const done = new Set<string>();
  return leaks.map(({ found, entry }) => {
    const isFirst = !done.has(found.hash);
    done.add(found.hash);
    const outcome = outcomeOf(found);
    return { found, entry, outcome: isFirst || outcome === 'unchanged' ? outcome : 'already-rejected' };
  });
}

const keyOf = ({ found }: Leak) => found.apiKeyId;

/** Hashes every token, so that the time doesn't depend on it. */
function hashOf(token: string): string | undefined {
  const hash = hashApiKey(token).toString('hex');
  return isWellFormedApiKey(token) ? hash : undefined;
}

/** The reports about secrets of keys, each place once, up to `maxPlaces` of each secret. */
function selectLeaks(hashed: readonly HashedEntry[], secrets: ReadonlyMap<string, ReportedSecret>): Leak[] {
  const placesOf = new Map<string, Set<string>>();
  return hashed.flatMap(({ entry, hash = '' }) => {
    const found = secrets.get(hash);
    if (found === undefined) return [];
    const places = placesOf.get(hash) ?? new Set();
    placesOf.set(hash, places);
    const place = placeHashOf(entry);
    if (places.has(place) || found.places + places.size >= maxPlaces) return [];
    places.add(place);
    return [{ found, entry }];
  });
}
