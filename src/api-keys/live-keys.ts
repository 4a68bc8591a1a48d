import { currentTime } from '../database/clock.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { LostHistoryError } from '../database/history/history-errors.js';
import type { RememberedRow } from '../database/history/history-queries.js';
import { StandbyError } from '../database/prepare-session.js';
import { Admission, type AdmissionAsk, type Decisions, StatesByOwner } from '../limits/admission.js';
import { decideAbout } from '../limits/admit-batch.js';
import type { ApiKey } from './api-key.entity.js';

/** A request to verify. */
export interface KeyedRequest {
  /** SHA-256 of its key, hexadecimal. */
  readonly hash: string;
  readonly ask: AdmissionAsk;
}

/** The key that a valid secret belongs to, with its restrictions. */
export interface LiveKey extends Pick<ApiKey, 'id' | 'organizationId' | 'enabled' | 'models' | 'addresses'> {
  /** May be null unless the request needs it. */
  readonly name: string | null;
  /** Whether the key or its organization has limits. */
  readonly isLimited: boolean;
  /** Whether the secret is the previous one. */
  readonly usesPreviousSecret: boolean;
  /** The decision about the request; undefined without limits. */
  readonly admission?: Admission;
}

/**
 * Whether the server's keys may be believed: it's the primary, and has the remembered row, if there is one. A server in
 * recovery may lag behind.
 */
const server = (beat: string, token: string) => `
  server as materialized (
    select pg_is_in_recovery() as is_standby, not pg_is_in_recovery() and lost_at is null and (
      ${beat}::bigint is null or exists (select from database_history where beat = ${beat} and token = ${token}::uuid)
    ) as is_believed
    from database_identity
  )`;

/** The only row from a server that isn't believed, with the reason as its name. */
const refusal = (nulls: string) => `
  select null, null, null, case when is_standby then 'standby' else 'lost' end, ${nulls}
  from server where not is_believed`;

/**
 * Both lookups use a unique index; the one for previous secrets contains only rotated keys. Expiry is compared with
 * the current time, because now() would be the time before the query waited for a lock.
 */
const lookUp = (hashColumn: string, expiryIsFuture: string, usesPrevious: 'true' | 'null') => `
  select encode(${hashColumn}, 'hex') as hash, id, organization_id, case when $2 then name end as name, enabled, models, addresses,
    nullif(limits is not null or organization_limited, false) as is_limited,
    ${usesPrevious}::boolean as uses_previous
  from api_keys
  where ${hashColumn} = any($1::bytea[]) and ${expiryIsFuture} and (select is_believed from server)`;

/** Finds keys, with their names if `$2` is true. The last parameters are the remembered row. */
export const findLiveKeys = `
  with ${server('$3', '$4')}
  ${lookUp('secret_hash', `(expires_at is null or expires_at > ${currentTime})`, 'null')}
  union all
  ${lookUp('previous_secret_hash', `previous_secret_expires_at > ${currentTime}`, 'true')}
  union all
  ${refusal('null, null, null, null, null')}`;

/** Disabled keys, and those that may not be used from the client's address, aren't counted. */
const isEveryLimitedKeyAsked = `(select count(*) from asked)
  = (select count(*) from live where limits is not null or organization_limits is not null)`;

/**
 * Finds keys and decides about the requests with limits. What the requests with a key ask for is in one row. The
 * decisions are in a separate row, without a hash.
 */
const admitToLiveKeys = `
  with ${server('$8', '$9')}, live as materialized (
    select encode(ask.hash, 'hex') as hash, id, organization_id, name, enabled, models, addresses, limits,
      case when organization_limited then (
        select organizations.limits from organizations where organizations.id = organization_id
      ) end as organization_limits,
      uses_previous, address, requests, tokens, pages, asks
    from unnest($1::bytea[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
      as ask (hash, address, requests, tokens, pages, asks)
    cross join lateral (
      select *, null::boolean as uses_previous
      from api_keys where secret_hash = ask.hash and (expires_at is null or expires_at > ${currentTime})
      union all
      select *, true from api_keys where previous_secret_hash = ask.hash and previous_secret_expires_at > ${currentTime}
    ) as key
    where (select is_believed from server)
  ), asked as materialized (
    select * from live
    where enabled and (limits is not null or organization_limits is not null)
      and (addresses is null or address::inet <<= any (addresses::inet[]))
  ), ${decideAbout('$7', isEveryLimitedKeyAsked)}
  select hash, id, organization_id, name, enabled, models, addresses,
    nullif(limits is not null or organization_limits is not null, false), uses_previous, null::json
  from live
  union all
  ${refusal('null, null, null, null, null, null')}
  union all
  select '', null, null, null, null, null, null, null, null, decisions from decided`;

type Row = [
  hash: string | null,
  id: string,
  organizationId: string,
  name: string | null,
  enabled: boolean,
  models: string[] | null,
  addresses: string[] | null,
  isLimited: true | null,
  usesPrevious: true | null,
  decisions?: Decisions | null,
];

/**
 * Finds the keys of requests.
 *
 * @param remembered a row that the database must have
 * @returns undefined for unknown, deleted and expired keys
 */
export async function findKeys(
  connection: DedicatedConnection,
  requests: readonly KeyedRequest[],
  remembered: RememberedRow | undefined,
): Promise<(LiveKey | undefined)[]> {
  const hashes = new Set(requests.map(({ hash }) => hash));
  const needsName = requests.some(({ ask }) => ask.needsName);
  const values = [toByteaArray(hashes), needsName, remembered?.beat, remembered?.token];
  const rows = await run(connection, { name: 'find-api-keys', text: findLiveKeys, values });
  const keys = new Map(rows.map((row) => [row[0], toLiveKey(row)]));
  return requests.map(({ hash }) => keys.get(hash));
}

/**
 * Finds the keys of requests, and decides in the same statement about those with limits, in the order of the requests.
 *
 * @param expectsFit whether all requests will probably be admitted; only for speed
 * @param remembered a row that the database must have
 * @returns undefined for unknown, deleted and expired keys
 */
export async function findKeysAndAdmit(
  connection: DedicatedConnection,
  requests: readonly KeyedRequest[],
  expectsFit: boolean,
  remembered: RememberedRow | undefined,
): Promise<(LiveKey | undefined)[]> {
  const values = [...toArrays(groupAsks(requests)), expectsFit, remembered?.beat, remembered?.token];
  const rows = await run(connection, { name: 'admit-api-keys', text: admitToLiveKeys, values });
  const { at = 0, admitted = [], limits = [] } = rows.find((row) => row[9])?.[9] ?? {};
  const areAdmitted = admitted && new Set(admitted);
  const states = new StatesByOwner(limits);
  const keys = new Map(rows.map((row) => [row[0], toLiveKey(row)]));
  return requests.map(({ hash }, position) => {
    const key = keys.get(hash);
    if (key?.isLimited !== true) return key;
    const { id, organizationId } = key;
    const isAdmitted = areAdmitted?.has(position) ?? true;
    return { ...key, admission: new Admission(id, organizationId, at, isAdmitted, states.of(id, organizationId)) };
  });
}

/** The requests with one key from one address. */
interface AskGroup {
  readonly hash: string;
  readonly address: string | null;
  requests: number;
  /** How many of them will use tokens, and pages. */
  tokens: number;
  pages: number;
  /** JSON arrays, each with a request's position in the batch, and 1 if it will use tokens, and pages. */
  asks: string;
}

function groupAsks(requests: readonly KeyedRequest[]): AskGroup[] {
  const groups = new Map<string, AskGroup>();
  for (const [position, { hash, ask }] of requests.entries()) {
    const { address, uses } = ask;
    const [tokens, pages] = [Number(uses === 'tokens'), Number(uses === 'pages')];
    const details = `[${position},${tokens},${pages}]`;
    const group = groups.get(hash + address);
    if (group === undefined) {
      groups.set(hash + address, { hash, address, requests: 1, tokens, pages, asks: details });
      continue;
    }
    group.requests += 1;
    group.tokens += tokens;
    group.pages += pages;
    group.asks += `,${details}`;
  }
  return [...groups.values()];
}

/** Array literals of PostgreSQL; the values contain nothing to escape. */
function toArrays(groups: readonly AskGroup[]): string[] {
  const numbers = (column: 'requests' | 'tokens' | 'pages') => `{${groups.map((group) => group[column]).join(',')}}`;
  return [
    toByteaArray(groups.map(({ hash }) => hash)),
    `{${groups.map(({ address }) => (address === null ? 'null' : `"${address}"`)).join(',')}}`,
    numbers('requests'),
    numbers('tokens'),
    numbers('pages'),
    `{${groups.map(({ asks }) => `"[${asks}]"`).join(',')}}`,
  ];
}

/** @throws UnusableServerError after which the connection must not be used again, or any error of pg */
async function run(connection: DedicatedConnection, query: { name: string; text: string; values: unknown[] }) {
  const rows = await connection.query<Row>({ ...query, rowMode: 'array' });
  const refusal = rows.find(([hash]) => hash === null);
  if (refusal === undefined) return rows;
  connection.reset();
  throw refusal[3] === 'standby' ? new StandbyError() : new LostHistoryError();
}

/** Serializing an array of buffers in pg takes three times as long. */
function toByteaArray(hashes: Iterable<string>): string {
  return `{${Array.from(hashes, (hex) => `"\\\\x${hex}"`).join(',')}}`;
}

function toLiveKey([, id, organizationId, name, enabled, models, addresses, isLimited, usesPrevious]: Row): LiveKey {
  const flags = { isLimited: isLimited === true, usesPreviousSecret: usesPrevious === true };
  return { id, organizationId, name, enabled, models, addresses, ...flags };
}
