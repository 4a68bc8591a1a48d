import { hash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher } from '../common/continuous-batcher.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { currentTime } from '../database/clock.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { StandbyError } from '../database/prepare-session.js';
import {
  type Admission,
  type AdmissionAsk,
  admissionSettings,
  DecisionReader,
  type Decisions,
} from '../limits/admission.js';
import type { ApiKey } from './api-key.entity.js';
import { generateApiKey, isWellFormedApiKey } from './api-key.token.js';

/** The key that a valid secret belongs to, with its restrictions. */
interface VerifiedApiKey extends Pick<ApiKey, 'id' | 'organizationId' | 'name' | 'enabled' | 'models' | 'addresses'> {
  /** Undefined if neither the key nor its organization has limits. */
  readonly admission: Admission | undefined;
}

/** A second connection gains nothing: one larger batch costs less than two (bench section `verifier`). */
const connections = 1;
const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;

const nothing: AdmissionAsk = { tokens: 0, pages: 0, address: null };

/** A key to verify and what its request asks for. */
interface Call {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  readonly ask: AdmissionAsk;
}

/**
 * Finds keys, and decides in the same statement about the requests of those with limits. Both lookups use a unique index;
 * the one for previous secrets contains only rotated keys. Expiry is compared with the current time, because now() would
 * be the time before the query waited for a lock. A server in recovery may lag behind, so it returns no keys, only a row
 * of nulls. Decisions are in a row of their own, without a hash.
 *
 * Parameters: the hashes; for each request the index of its hash, the tokens and pages it asks for, and its address.
 * They are texts, because arrays would be parsed even if no key has limits.
 */
export const findLiveKeys = `
  with live as materialized (
    select key_hash as hash, id, organization_id, name, enabled, models, addresses,
      limits is not null or organization_limited as is_limited
    from api_keys
    where key_hash = any($1::bytea[]) and (expires_at is null or expires_at > ${currentTime})
      and not (select pg_is_in_recovery())
    union all
    select previous_key_hash, id, organization_id, name, enabled, models, addresses,
      limits is not null or organization_limited
    from api_keys
    where previous_key_hash = any($1::bytea[]) and previous_key_expires_at > ${currentTime}
      and not (select pg_is_in_recovery())
  )
  select encode(hash, 'hex'), id, organization_id, name, enabled, models, addresses, is_limited, null::json from live
  union all
  select null, null, null, null, null, null, null, null, null where (select pg_is_in_recovery())
  union all
  select '', null, null, null, null, null, null, null, admit_requests(asks)
  from (
    select $2::text as hashes, $3::text as tokens, $4::text as pages, $5::text as addresses
    from live where is_limited limit 1
  ) as request
  cross join lateral (
    select array_agg(
      row (ask.position, live.id, live.organization_id, 1, ask.tokens, ask.pages, false, null, 0, 0)::admission_ask
      order by ask.position
    ) as asks
    from unnest(
      request.hashes::integer[], request.tokens::bigint[], request.pages::bigint[], request.addresses::inet[]
    ) with ordinality as ask (hash_index, tokens, pages, address, position)
    join unnest($1::bytea[]) with ordinality as asked (hash, index) on asked.index = ask.hash_index
    join live on live.hash = asked.hash
    where live.is_limited and live.enabled
      and (live.addresses is null or ask.address <<= any (live.addresses::inet[]))
  ) as batch
  where asks is not null`;

/**
 * One generic plan, because planning takes longer than the query. The plan outlives the statistics it was made with, so
 * it must not become a scan of all keys. A bitmap gains nothing if each hash finds one row.
 */
const planOnce = `set plan_cache_mode = force_generic_plan; set enable_bitmapscan = off; ${admissionSettings}`;

/**
 * Verifies API keys. Nothing is cached: each call is served by a query that starts after the call, so a key is rejected
 * as soon as its deletion is committed. Waiting calls share a query.
 */
@Injectable()
export class ApiKeyVerifierService implements OnApplicationShutdown {
  private readonly lanes: DedicatedConnection[];
  private readonly batcher: ContinuousBatcher<Call, DedicatedConnection, VerifiedApiKey | undefined>;

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
   * Verifies a key, and admits a request if it fits the limits of the key and its organization.
   *
   * @returns undefined for a malformed, unknown, deleted or expired key
   * @throws AppError 503 if the database doesn't respond in time or too many calls are waiting
   */
  async verify(key: string, ask: AdmissionAsk = nothing): Promise<VerifiedApiKey | undefined> {
    if (!isWellFormedApiKey(key)) return undefined;
    try {
      return await this.batcher.submit({ hash: hash('sha256', key), ask });
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
  isLimited: boolean,
  decisions: Decisions | null,
];

async function findApiKeys(connection: DedicatedConnection, calls: Call[]): Promise<(VerifiedApiKey | undefined)[]> {
  const rows = await connection.query<Row>({
    name: 'find-api-keys',
    text: findLiveKeys,
    values: parametersOf(calls),
    rowMode: 'array',
  });
  const found = new Map<string, Row>();
  let decisions: DecisionReader | undefined;
  for (const row of rows) {
    if (row[0] === null) {
      connection.reset();
      throw new StandbyError();
    }
    if (row[8] === null) found.set(row[0], row);
    else decisions = new DecisionReader(row[8]);
  }
  return calls.map(({ hash, ask }, index) => {
    const row = found.get(hash);
    if (row === undefined) return undefined;
    const [, id, organizationId, name, enabled, models, addresses, isLimited] = row;
    const admission = isLimited
      ? {
          keyId: id,
          organizationId,
          ask,
          states: decisions?.statesOf(id, organizationId) ?? [],
          reservation: decisions?.reservationAt(index + 1),
        }
      : undefined;
    return { id, organizationId, name, enabled, models, addresses, admission };
  });
}

/** Array literals. Serializing an array of buffers in pg takes three times as long. */
function parametersOf(calls: readonly Call[]): string[] {
  const indexes = new Map<string, number>();
  let [hashIndexes, tokens, pages, addresses] = ['', '', '', ''];
  for (const { hash, ask } of calls) {
    let index = indexes.get(hash);
    if (index === undefined) indexes.set(hash, (index = indexes.size + 1));
    const comma = hashIndexes === '' ? '' : ',';
    hashIndexes += comma + index;
    tokens += comma + ask.tokens;
    pages += comma + ask.pages;
    addresses += comma + (ask.address ?? 'null');
  }
  const hashes = Array.from(indexes.keys(), (hex) => `"\\\\x${hex}"`).join(',');
  return [hashes, hashIndexes, tokens, pages, addresses].map((items) => `{${items}}`);
}
