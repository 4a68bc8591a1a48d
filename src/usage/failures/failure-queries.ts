import type { DataSource } from 'typeorm';
import { FailedRequest } from './failed-request.entity.js';
import type { FailureBatch } from './failure-batch.js';

/** Failed requests that are kept for each key. */
export const maxFailuresPerKey = 100;
/** API keys that are named for each status and code. */
export const maxKeysPerFailure = 3;
/** Failed requests that are kept in total. */
export const maxFailedRequests = 100_000;

/**
 * Adds failures to the counts of the current hour and to the latest failures. A failure with only a secret is skipped
 * unless the secret has expired. Keys that are being deleted are skipped. Doesn't wait for the disk. Rows are written in
 * the order of their primary key, so that replicas can't deadlock.
 */
const insertFailures = `
  with settings as materialized (
    select set_config('synchronous_commit', 'off', true)
  ), groups as materialized (
    select failure.*
    from settings, json_to_recordset($1::json) as failure (
      position int, "apiKeyId" uuid, "keyHash" text, model text, status smallint, code text, count bigint
    )
  ), found as materialized (
    select position, "apiKeyId" as id, code from groups where "apiKeyId" is not null
    union all
    select position, api_keys.id, 'api-key-expired' from groups
      join api_keys on secret_hash = decode("keyHash", 'hex') and expires_at <= clock_timestamp()
    union all
    select position, api_keys.id, 'api-key-expired' from groups
      join api_keys on previous_secret_hash = decode("keyHash", 'hex') and previous_secret_expires_at <= clock_timestamp()
  ), keys as materialized (
    select id, organization_id from api_keys where id in (select id from found) for key share skip locked
  ), counted as (
    insert into failure_counts (organization_id, hour, api_key_id, model, status, code, requests)
    select organization_id, date_trunc('hour', now(), 'UTC'), id, model, status, found.code, sum(count)
    from found join keys using (id) join groups using (position)
    group by organization_id, id, model, status, found.code
    order by organization_id, id, model, status, found.code
    on conflict (organization_id, hour, api_key_id, model, status, code)
      do update set requests = failure_counts.requests + excluded.requests
  )
  insert into failed_requests (
    id, organization_id, api_key_id, occurred_at, route, model, requested_model, status, code, invalid_fields,
    exceeded_limit, request_id, address
  )
  select request.id, organization_id, found.id, "occurredAt", route, model, "requestedModel", status, found.code,
    "invalidFields", "exceededLimit", "requestId", address
  from json_to_recordset($2::json) as request (
    id uuid, position int, "occurredAt" timestamptz, route text, "requestedModel" text, "invalidFields" jsonb,
    "exceededLimit" jsonb, "requestId" text, address text
  ) join found using (position) join keys on keys.id = found.id join groups using (position)
  returning api_key_id as "apiKeyId"`;

const trimFailures = `
  delete from failed_requests where id in (
    select id from (
      select id, row_number() over (partition by api_key_id order by occurred_at desc, id) as place
      from failed_requests where api_key_id = any($1::uuid[])
    ) as ranked
    where place > ${maxFailuresPerKey}
  )`;

/** Writes a batch, and keeps only the latest failures of its keys. */
export async function writeFailures(dataSource: DataSource, batch: FailureBatch): Promise<void> {
  const rows = await dataSource.query<{ apiKeyId: string }[]>(insertFailures, batch.toParameters());
  const apiKeyIds = [...new Set(rows.map(({ apiKeyId }) => apiKeyId))];
  if (apiKeyIds.length > 0) await dataSource.query(trimFailures, [apiKeyIds]);
}

interface FailureSearch {
  organizationId: string;
  apiKeyId: string;
  /** Only those with this request ID. */
  requestId?: string | undefined;
}

/** The latest failures of a key, newest first. */
export function readFailedRequests(
  dataSource: DataSource,
  { organizationId, apiKeyId, requestId }: FailureSearch,
): Promise<FailedRequest[]> {
  return dataSource.getRepository(FailedRequest).find({
    where: { organizationId, apiKeyId, ...(requestId !== undefined && { requestId }) },
    order: { occurredAt: 'desc', id: 'asc' },
    take: maxFailuresPerKey,
  });
}

interface FailureSelection {
  organizationId: string;
  from: Date;
  to: Date;
  apiKeyIds?: string[] | undefined;
  models?: string[] | undefined;
  tags?: string[] | undefined;
}

/** Failed requests with a status and code. PostgreSQL's bigints as strings. */
interface FailureSum {
  status: number;
  code: string;
  requests: string;
  apiKeyCount: number;
  /** The keys with the most of these requests, highest first. */
  apiKeys: { id: string; requests: number }[];
}

/** Sums of failed requests by status and code, highest first. */
export function readFailureCounts(
  dataSource: DataSource,
  { organizationId, from, to, apiKeyIds, models, tags }: FailureSelection,
): Promise<FailureSum[]> {
  return dataSource.query(
    `with by_key as (
       select status, code, api_key_id as id, sum(requests) as requests,
         row_number() over (partition by status, code order by sum(requests) desc, api_key_id) as place
       from failure_counts
       where organization_id = $1 and hour >= $2 and hour < $3
         and ($4::uuid[] is null or api_key_id = any ($4)) and ($5::text[] is null or model = any ($5))
         and ($6::text[] is null or api_key_id in (
           select id from api_keys where organization_id = $1 and tags && $6
           union all select id from deleted_api_keys where organization_id = $1 and tags && $6
         ))
       group by status, code, api_key_id
     )
     select status, code, sum(requests) as requests, count(*)::integer as "apiKeyCount",
       json_agg(json_build_object('id', id, 'requests', requests) order by place)
         filter (where place <= ${maxKeysPerFailure}) as "apiKeys"
     from by_key group by status, code order by sum(requests) desc, status, code`,
    [organizationId, from, to, apiKeyIds ?? null, models ?? null, tags ?? null],
  );
}
