import { hash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher } from '../common/continuous-batcher.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { currentTime } from '../database/clock.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { StandbyError } from '../database/prepare-session.js';
import type { ApiKey } from './api-key.entity.js';
import { generateApiKey, isWellFormedApiKey } from './api-key.token.js';

/** The key that a valid secret belongs to, with its restrictions. */
type VerifiedApiKey = Pick<ApiKey, 'id' | 'organizationId' | 'name' | 'enabled' | 'models' | 'addresses'>;

/** A second connection gains nothing: one larger batch costs less than two (bench section `verifier`). */
const connections = 1;
const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;

/**
 * Both lookups use a unique index; the one for previous secrets contains only rotated keys. Expiry is compared with
 * the current time, because now() would be the time before the query waited for a lock. A server in recovery may lag
 * behind, so it returns no keys, only a row of nulls.
 */
export const findLiveKeys = `
  select encode(key_hash, 'hex'), id, organization_id, name, enabled, models, addresses from api_keys
  where key_hash = any($1::bytea[]) and (expires_at is null or expires_at > ${currentTime})
    and not (select pg_is_in_recovery())
  union all
  select encode(previous_key_hash, 'hex'), id, organization_id, name, enabled, models, addresses from api_keys
  where previous_key_hash = any($1::bytea[]) and previous_key_expires_at > ${currentTime}
    and not (select pg_is_in_recovery())
  union all
  select null, null, null, null, null, null, null where (select pg_is_in_recovery())`;

/**
 * One generic plan, because planning takes longer than the query. The plan outlives the statistics it was made with, so
 * it must not become a scan of all keys. A bitmap gains nothing if each hash finds one row.
 */
const planOnce = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';

/**
 * Verifies API keys. Nothing is cached: each call is served by a query that starts after the call, so a key is rejected
 * as soon as its deletion is committed. Waiting calls share a query.
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
   * Verifies a key.
   *
   * @returns undefined for a malformed, unknown, deleted or expired key
   * @throws AppError 503 if the database doesn't respond in time or too many calls are waiting
   */
  async verify(key: string): Promise<VerifiedApiKey | undefined> {
    if (!isWellFormedApiKey(key)) return undefined;
    try {
      return await this.batcher.submit(hash('sha256', key));
    } catch (error) {
      throw toUnavailable(error, "The database is unavailable: API keys can't be verified. Try again shortly.");
    }
  }

  /**
   * Verifies a key that doesn't exist, the same way as any other.
   *
   * @throws AppError 503 if keys can't be verified
   */
  async check(): Promise<void> {
    await this.verify(generateApiKey());
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }
}

type Row = [
  hash: string | null,
  id: string,
  organizationId: string,
  name: string,
  enabled: boolean,
  models: string[] | null,
  addresses: string[] | null,
];

/** @param hashes SHA-256, hexadecimal */
async function findApiKeys(connection: DedicatedConnection, hashes: string[]): Promise<(VerifiedApiKey | undefined)[]> {
  // Serializing an array of buffers in pg takes three times as long as building the literal here.
  const literal = `{${[...new Set(hashes)].map((hex) => `"\\\\x${hex}"`).join(',')}}`;
  const rows = await connection.query<Row>({
    name: 'find-api-keys',
    text: findLiveKeys,
    values: [literal],
    rowMode: 'array',
  });
  if (rows.some(([hex]) => hex === null)) {
    connection.reset();
    throw new StandbyError();
  }
  const found = new Map(
    rows.map(([hex, id, organizationId, name, enabled, models, addresses]) => {
      return [hex, { id, organizationId, name, enabled, models, addresses }];
    }),
  );
  return hashes.map((hex) => found.get(hex));
}
