import { currentTime } from '../database/clock.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { StandbyError } from '../database/prepare-session.js';
import { type Admission, type AdmissionAsk, DecisionReader, type Decisions } from '../limits/admission.js';
import type { ApiKey } from './api-key.entity.js';

/** A request to verify. */
export interface KeyedRequest {
  /** SHA-256 of its key, hexadecimal. */
  readonly hash: string;
  readonly ask: AdmissionAsk;
}

/** The key that a valid secret belongs to, with its restrictions. */
export interface LiveKey extends Pick<ApiKey, 'id' | 'organizationId' | 'name' | 'enabled' | 'models' | 'addresses'> {
  /** Whether the key or its organization has limits. */
  readonly isLimited: boolean;
  /** The decision about the request; undefined without limits. */
  readonly admission?: Admission;
}

/**
 * Both lookups use a unique index; the one for previous secrets contains only rotated keys. Expiry is compared with
 * the current time, because now() would be the time before the query waited for a lock. A server in recovery may lag
 * behind, so it returns no keys.
 */
const lookUp = (hashColumn: string, expiryIsFuture: string) => `
  select encode(${hashColumn}, 'hex') as hash, id, organization_id, name, enabled, models, addresses,
    limits is not null or organization_limited as is_limited
  from api_keys
  where ${hashColumn} = any($1::bytea[]) and ${expiryIsFuture} and not (select pg_is_in_recovery())`;

const liveKeys = `
  ${lookUp('key_hash', `(expires_at is null or expires_at > ${currentTime})`)}
  union all
  ${lookUp('previous_key_hash', `previous_key_expires_at > ${currentTime}`)}`;

/** Finds keys. From a server in recovery it gets a row of nulls. */
export const findLiveKeys = `
  ${liveKeys}
  union all
  select null, null, null, null, null, null, null, null where (select pg_is_in_recovery())`;

/** Finds keys and decides about the requests with limits. The decisions are in a row of their own, without a hash. */
const admitToLiveKeys = `
  with live as materialized (${liveKeys}), batch as (
    select array_agg(
      row (ask.position, live.id, live.organization_id, 1, ask.tokens, ask.pages, false, null, 0, 0)::admission_ask
      order by ask.position
    ) as asks
    from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::inet[]) with ordinality
      as ask (key_hash, tokens, pages, address, position)
    join live on live.hash = encode(ask.key_hash, 'hex')
    where live.is_limited and live.enabled
      and (live.addresses is null or ask.address <<= any (live.addresses::inet[]))
  )
  select live.*, null::json from live
  union all
  select null, null, null, null, null, null, null, null, null where (select pg_is_in_recovery())
  union all
  select '', null, null, null, null, null, null, null, admit_requests(asks) from batch where asks is not null`;

type Row = [
  hash: string | null,
  id: string,
  organizationId: string,
  name: string,
  enabled: boolean,
  models: string[] | null,
  addresses: string[] | null,
  isLimited: boolean,
  decisions?: Decisions | null,
];

/**
 * Finds the keys of requests.
 *
 * @returns undefined for unknown, deleted and expired keys
 */
export async function findKeys(
  connection: DedicatedConnection,
  requests: readonly KeyedRequest[],
): Promise<(LiveKey | undefined)[]> {
  const hashes = new Set(requests.map(({ hash }) => hash));
  const rows = await run(connection, { name: 'find-api-keys', text: findLiveKeys, values: [toByteaArray(hashes)] });
  const keys = new Map(rows.map((row) => [row[0], toLiveKey(row)]));
  return requests.map(({ hash }) => keys.get(hash));
}

/**
 * Finds the keys of requests, and decides in the same statement about those with limits, in the order of the requests.
 *
 * @returns undefined for unknown, deleted and expired keys
 */
export async function findKeysAndAdmit(
  connection: DedicatedConnection,
  requests: readonly KeyedRequest[],
): Promise<(LiveKey | undefined)[]> {
  const asks = requests.map(({ ask }) => ask);
  const values = [
    toByteaArray(requests.map(({ hash }) => hash)),
    asks.map(({ tokens }) => tokens),
    asks.map(({ pages }) => pages),
    asks.map(({ address }) => address),
  ];
  const rows = await run(connection, { name: 'admit-api-keys', text: admitToLiveKeys, values });
  const decisions = new DecisionReader(rows.find((row) => row[8])?.[8]);
  const keys = new Map(rows.map((row) => [row[0], toLiveKey(row)]));
  return requests.map(({ hash, ask }, index) => {
    const key = keys.get(hash);
    if (key?.isLimited !== true) return key;
    const { id: keyId, organizationId } = key;
    const states = decisions.statesOf(keyId, organizationId);
    const granted = decisions.reservationAt(index + 1);
    return { ...key, admission: { keyId, organizationId, ask, states, granted, reservation: granted } };
  });
}

/** @throws StandbyError after which the connection must not be used again, or any error of pg */
async function run(connection: DedicatedConnection, query: { name: string; text: string; values: unknown[] }) {
  const rows = await connection.query<Row>({ ...query, rowMode: 'array' });
  if (rows.every(([hash]) => hash !== null)) return rows;
  connection.reset();
  throw new StandbyError();
}

/** Serializing an array of buffers in pg takes three times as long. */
function toByteaArray(hashes: Iterable<string>): string {
  return `{${Array.from(hashes, (hex) => `"\\\\x${hex}"`).join(',')}}`;
}

function toLiveKey([, id, organizationId, name, enabled, models, addresses, isLimited]: Row): LiveKey {
  return { id, organizationId, name, enabled, models, addresses, isLimited };
}
