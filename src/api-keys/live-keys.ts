import { toArrayLiteral, toByteaArray } from '../database/array-literal.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { LostHistoryError } from '../database/history/history-errors.js';
import type { RememberedRow } from '../database/history/history-queries.js';
import { StandbyError } from '../database/prepare-session.js';
import { loadStatement } from '../database/sql-file.js';
import { Admission, type AdmissionDemand, type Decisions, StatesByOwner } from '../limits/admission.js';
import type { ApiKey } from './api-key.entity.js';

/** A request to verify. */
export interface KeyedRequest {
  /** SHA-256 of its key, hexadecimal. */
  readonly hash: string;
  readonly demand: AdmissionDemand;
}

/** The key that a valid secret belongs to, with its restrictions. */
export interface LiveKey extends Pick<ApiKey, 'id' | 'organizationId' | 'enabled' | 'models' | 'addresses'> {
  /** May be null unless the request needs it. */
  readonly name: string | null;
  /** Whether the key or its organization has limits. */
  readonly isLimited: boolean;
  /** Whether the secret is the one from before the last rotation. */
  readonly usesPreviousSecret: boolean;
  /** Changes with the limits; null if they may change by themselves. */
  readonly limitsDigest: string | null;
  /** The decision about the request; undefined without limits. */
  readonly admission?: Admission;
}

export const findLiveKeys = loadStatement('api-keys/find-live-keys.sql', {
  parameters: ['hashes', 'needsName', 'beat', 'token'],
});

export const admitToLiveKeys = loadStatement('api-keys/admit-to-live-keys.sql', {
  parameters: ['hashes', 'addresses', 'requests', 'tokens', 'pages', 'demands', 'expectsFit', 'beat', 'token'],
});

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
  limitsDigest: string | null,
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
  const needsName = requests.some(({ demand }) => demand.needsName);
  const values = findLiveKeys.bind({ hashes: toByteaArray(hashes), needsName, ...toParameters(remembered) });
  const rows = await run(connection, { name: 'find-api-keys', text: findLiveKeys.text, values });
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
  const values = admitToLiveKeys.bind({ ...toArrays(groupAsks(requests)), expectsFit, ...toParameters(remembered) });
  const rows = await run(connection, { name: 'admit-api-keys', text: admitToLiveKeys.text, values });
  const { at = 0, generation = 0, admitted = [], limits = [] } = rows.find((row) => row[10])?.[10] ?? {};
  const areAdmitted = admitted && new Set(admitted);
  const states = new StatesByOwner(limits);
  const keys = new Map(rows.map((row) => [row[0], toLiveKey(row)]));
  return requests.map(({ hash }, position) => {
    const key = keys.get(hash);
    if (key?.isLimited !== true) return key;
    const { id, organizationId } = key;
    const isAdmitted = areAdmitted?.has(position) ?? true;
    const own = states.of(id, organizationId);
    return { ...key, admission: new Admission(id, organizationId, at, generation, isAdmitted, own) };
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
  demands: string;
}

function groupAsks(requests: readonly KeyedRequest[]): AskGroup[] {
  const groups = new Map<string, AskGroup>();
  for (const [position, { hash, demand }] of requests.entries()) {
    const { address, uses } = demand;
    const [tokens, pages] = [Number(uses === 'tokens'), Number(uses === 'pages')];
    const details = `[${position},${tokens},${pages}]`;
    const group = groups.get(hash + address);
    if (group === undefined) {
      groups.set(hash + address, { hash, address, requests: 1, tokens, pages, demands: details });
      continue;
    }
    group.requests += 1;
    group.tokens += tokens;
    group.pages += pages;
    group.demands += `,${details}`;
  }
  return [...groups.values()];
}

/** Array literals of PostgreSQL; the values contain nothing to escape. */
function toArrays(groups: readonly AskGroup[]) {
  const numbers = (column: 'requests' | 'tokens' | 'pages') => toArrayLiteral(groups.map((group) => group[column]));
  return {
    hashes: toByteaArray(groups.map(({ hash }) => hash)),
    addresses: `{${groups.map(({ address }) => (address === null ? 'null' : `"${address}"`)).join(',')}}`,
    requests: numbers('requests'),
    tokens: numbers('tokens'),
    pages: numbers('pages'),
    demands: `{${groups.map(({ demands }) => `"[${demands}]"`).join(',')}}`,
  };
}

const toParameters = (remembered: RememberedRow | undefined) => ({ beat: remembered?.beat, token: remembered?.token });

/** @throws UnusableServerError after which the connection must not be used again, or any error of pg */
async function run(connection: DedicatedConnection, query: { name: string; text: string; values: unknown[] }) {
  const rows = await connection.query<Row>({ ...query, rowMode: 'array' });
  const refusal = rows.find(([hash]) => hash === null);
  if (refusal === undefined) return rows;
  connection.reset();
  throw refusal[3] === 'standby' ? new StandbyError() : new LostHistoryError();
}

function toLiveKey([, id, organizationId, name, enabled, models, addresses, ...rest]: Row): LiveKey {
  const [isLimited, usesPrevious, limitsDigest] = rest;
  const flags = { isLimited: isLimited === true, usesPreviousSecret: usesPrevious === true };
  return { id, organizationId, name, enabled, models, addresses, limitsDigest, ...flags };
}
