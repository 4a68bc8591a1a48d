import { hash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher, DeadlineExceededError, QueueFullError } from '../common/continuous-batcher.js';
import { unavailable } from '../common/errors/app-error.js';
import { isDatabaseUnavailable } from '../common/errors/to-app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { StandbyError } from '../database/prepare-session.js';
import { generateApiKey, isWellFormedApiKey } from './api-key.token.js';

/** What a valid key stands for. */
export interface VerifiedApiKey {
  id: string;
  organizationId: string;
}

/** A second one gains nothing, as bench section `verifier` shows: one larger batch costs less than two. */
const connections = 1;
const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;

/**
 * Both lookups use a unique index; the one of former secrets holds only keys that were rotated. Expiry is compared with
 * the database's clock at the moment it finds the key: now() would be the time before the query had to wait. A server
 * in recovery may lag behind: it returns no keys, only a row of nulls.
 */
export const findLiveKeys = `
  select encode(key_hash, 'hex'), id, organization_id from api_keys
  where key_hash = any($1::bytea[]) and (expires_at is null or expires_at > clock_timestamp())
    and not (select pg_is_in_recovery())
  union all
  select encode(previous_key_hash, 'hex'), id, organization_id from api_keys
  where previous_key_hash = any($1::bytea[]) and previous_key_expires_at > clock_timestamp()
    and not (select pg_is_in_recovery())
  union all
  select null, null, null where (select pg_is_in_recovery())`;

/**
 * Else PostgreSQL would plan each query anew, which takes longer than the query. The plan outlives the statistics it
 * was made with, so it must not become a scan of all keys. A bitmap gains nothing where each hash finds one row.
 */
const planOnce = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';

/**
 * Says whether a key is valid now. Nothing is cached: each call is answered by a query that starts after the call, so
 * a key is refused from the moment its deletion is committed. Calls that wait at the same time share one query.
 */
@Injectable()
export class ApiKeyVerifierService implements OnApplicationShutdown {
  private readonly lanes: DedicatedConnection[];
  private readonly batcher: ContinuousBatcher<string, DedicatedConnection, VerifiedApiKey | undefined>;

  constructor(config: ServiceConfig) {
    this.lanes = Array.from({ length: connections }, () => {
      return new DedicatedConnection(config.database, {
        applicationName: 'keycard api-key verifier',
        timeoutMilliseconds: deadlineMilliseconds,
        maxAgeSeconds: config.connectionMaxAgeSeconds,
        setup: `${planOnce}; set statement_timeout = ${deadlineMilliseconds}`,
      });
    });
    this.batcher = new ContinuousBatcher({
      lanes: this.lanes,
      maxBatchSize,
      maxQueueLength,
      deadlineMilliseconds,
      execute: findApiKeys,
    });
  }

  /**
   * The key's id and organization, or undefined when it is malformed, unknown, deleted or expired.
   *
   * @throws AppError 503 when the database does not answer in time or too many calls wait
   */
  async verify(key: string): Promise<VerifiedApiKey | undefined> {
    if (!isWellFormedApiKey(key)) return undefined;
    try {
      return await this.batcher.submit(hash('sha256', key));
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  /**
   * Verifies a key that doesn't exist, the same way as any other.
   *
   * @throws AppError 503 when keys can't be verified
   */
  async check(): Promise<void> {
    await this.verify(generateApiKey());
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }
}

/** @param hashes SHA-256, hexadecimal */
async function findApiKeys(connection: DedicatedConnection, hashes: string[]): Promise<(VerifiedApiKey | undefined)[]> {
  // PostgreSQL's array literal, built here: what pg would make of an array of buffers takes three times as long.
  const literal = `{${[...new Set(hashes)].map((hex) => `"\\\\x${hex}"`).join(',')}}`;
  const rows = await connection.query<[hash: string | null, id: string, organizationId: string]>({
    name: 'find-api-keys',
    text: findLiveKeys,
    values: [literal],
    rowMode: 'array',
  });
  if (rows.some(([hex]) => hex === null)) {
    connection.reset();
    throw new StandbyError();
  }
  const found = new Map(rows.map(([hex, id, organizationId]) => [hex, { id, organizationId }]));
  return hashes.map((hex) => found.get(hex));
}

function toUnavailable(error: unknown): unknown {
  if (error instanceof QueueFullError) return unavailable('overloaded', 'Too many requests are waiting.', 1, error);
  if (error instanceof DeadlineExceededError || isDatabaseUnavailable(error)) {
    return unavailable(
      'database-unavailable',
      "The database is unavailable: API keys can't be verified. Try again shortly.",
      1,
      error,
    );
  }
  return error;
}
