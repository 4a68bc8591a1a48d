import type { DataSource } from 'typeorm';
import { loadStatement } from '../../database/sql-file.js';
import { fromLine, idInLine, type LoggedRequest } from './logged-request.js';
import type { RequestBatch } from './request-batch.js';
import { fingerprintBytes, fingerprintOf } from './request-fingerprint.js';

/** Keys that a search for a request returns. */
export const maxKeysOfRequest = 10;
/** Requests that are kept for each key. */
const maxLogged = { success: 700, failure: 300 };
/** How long requests are kept. */
export const loggedDays = 30;
/** What PostgreSQL stores of them, compressed: see trim-requests.sql. */
const maxBytes = { success: 48_000, failure: 20_000 };

export const insertRequests = loadStatement('usage/requests/write-requests.sql', { parameters: ['groups'] });

export const trimRequests = loadStatement('usage/requests/trim-requests.sql', {
  parameters: ['apiKeyIds', 'maxRequests', 'maxBytes'],
});

/** Writes a batch, and keeps only the latest requests of its keys. */
export async function writeRequests(dataSource: DataSource, batch: RequestBatch): Promise<void> {
  const rows = await dataSource.query<{ apiKeyId: string }[]>(
    insertRequests.text,
    insertRequests.bind({ groups: batch.toParameter() }),
  );
  const apiKeyIds = [...new Set(rows.map(({ apiKeyId }) => apiKeyId))];
  if (apiKeyIds.length === 0) return;
  const values = trimRequests.bind({
    apiKeyIds,
    maxRequests: [maxLogged.success, maxLogged.failure],
    maxBytes: [maxBytes.success, maxBytes.failure],
  });
  await dataSource.query(trimRequests.text, values);
}

/**
 * The latest requests of a key, newest first.
 *
 * @returns undefined for an unknown or foreign key
 */
export async function readRequests(
  dataSource: DataSource,
  organizationId: string,
  apiKeyId: string,
): Promise<LoggedRequest[] | undefined> {
  const rows = await dataSource.query<{ isFailure: boolean | null; requests: string | null }[]>(
    `select is_failure as "isFailure", requests from api_keys left join request_chunks on api_key_id = api_keys.id
     where api_keys.id = $1 and api_keys.organization_id = $2`,
    [apiKeyId, organizationId],
  );
  if (rows.length === 0) return undefined;
  const latest = (isFailure: boolean, count: number) =>
    newestFirst(rows.filter((row) => row.isFailure === isFailure).flatMap(requestsOf)).slice(0, count);
  return newestFirst([...latest(false, maxLogged.success), ...latest(true, maxLogged.failure)]);
}

export const selectKeysOfRequest = loadStatement('usage/requests/find-requested-keys.sql', {
  parameters: ['organizationId', 'requestId', 'fingerprint', 'fingerprintBytes', 'idInLine', 'maxKeys'],
});

/** A key that may have a request. */
export interface KeyOfRequest {
  id: string;
  name: string;
  hint: string;
}

/** The keys of an organization that may have requests with this ID, those with the latest ones first. */
export function findKeysOfRequest(
  dataSource: DataSource,
  organizationId: string,
  requestId: string,
): Promise<KeyOfRequest[]> {
  return dataSource.query<KeyOfRequest[]>(selectKeysOfRequest.text, keysOfRequestParameters(organizationId, requestId));
}

/** Exported for the test of the query plan. */
export const keysOfRequestParameters = (organizationId: string, requestId: string): unknown[] =>
  selectKeysOfRequest.bind({
    ...{ organizationId, requestId, fingerprintBytes },
    fingerprint: fingerprintOf(requestId),
    idInLine: idInLine(requestId),
    maxKeys: maxKeysOfRequest,
  });

/** Those of a chunk that aren't too old. */
function requestsOf({ requests }: { requests: string | null }): LoggedRequest[] {
  const first = Date.now() - loggedDays * 24 * 3600 * 1000;
  const lines = requests?.split('\n') ?? [];
  return lines.map(fromLine).filter(({ occurredAt }) => occurredAt.getTime() >= first);
}

function newestFirst(requests: readonly LoggedRequest[]): LoggedRequest[] {
  return requests.toSorted((one, other) => other.occurredAt.getTime() - one.occurredAt.getTime());
}
