import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { latencyBucketOf } from './latency-buckets.js';

/** One request that was answered, or given up by its client. */
export interface UsageFact {
  organizationId: string;
  apiKeyId: string;
  /** Id of the model in the catalogue. */
  model: string;
  isFailure: boolean;
  inputTokens: number;
  /** Pages of documents that were read. */
  pages: number;
  /** From the request's arrival to the end of its answer. */
  milliseconds: number;
}

/** What several facts add to one row. */
interface UsageSum {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly model: string;
  readonly latencyBucket: number;
  requests: number;
  failures: number;
  inputTokens: number;
  pages: number;
  microseconds: number;
}

/** The parameters of the statement, in their order: an array each. */
const columns = [
  'organizationId',
  'apiKeyId',
  'model',
  'latencyBucket',
  'requests',
  'failures',
  'inputTokens',
  'pages',
  'microseconds',
] as const satisfies (keyof UsageSum)[];

/**
 * Rows are written in the order of their primary key, the same in every replica, so that two that write the same
 * rows wait for each other but never in a circle. Keys are marked as used once a second at most, and only those
 * that nobody is changing at the moment: a locked key must not hold up the requests of all others.
 */
const upsert = `
  with used as (
    select id from api_keys
    where id = any($2::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 second')
    for no key update skip locked
  ), marked as (
    update api_keys set last_used_at = now() from used where api_keys.id = used.id
  )
  insert into usage (
    organization_id, hour, api_key_id, model, latency_bucket, requests, failures, input_tokens, pages, microseconds
  )
  select organization_id, date_trunc('hour', now(), 'UTC'), api_key_id, model, latency_bucket,
    requests, failures, input_tokens, pages, microseconds
  from unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::smallint[],
    $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[]
  ) as sums (
    organization_id, api_key_id, model, latency_bucket, requests, failures, input_tokens, pages, microseconds
  )
  where exists (select from organizations where id = organization_id)
  order by organization_id, api_key_id, model collate "C", latency_bucket
  on conflict (organization_id, hour, api_key_id, model, latency_bucket) do update set
    requests = usage.requests + excluded.requests,
    failures = usage.failures + excluded.failures,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    pages = usage.pages + excluded.pages,
    microseconds = usage.microseconds + excluded.microseconds`;

/**
 * Adds the facts to the usage of the current hour and marks their keys as used, all or nothing. Facts of an
 * organization that is gone are left out.
 *
 * @throws whatever pg throws
 */
export async function writeUsage(connection: DedicatedConnection, facts: readonly UsageFact[]): Promise<void> {
  const sums = sumUp(facts);
  const values = columns.map((column) => sums.map((sum) => sum[column]));
  await connection.query({ name: 'write-usage', text: upsert, values, rowMode: 'array' });
}

function sumUp(facts: readonly UsageFact[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const fact of facts) {
    const latencyBucket = latencyBucketOf(fact.milliseconds);
    const row = `${fact.apiKeyId} ${latencyBucket} ${fact.model}`;
    const sum = sums.get(row) ?? emptySum(fact, latencyBucket);
    sum.requests += 1;
    sum.failures += fact.isFailure ? 1 : 0;
    sum.inputTokens += fact.inputTokens;
    sum.pages += fact.pages;
    sum.microseconds += Math.round(fact.milliseconds * 1000);
    sums.set(row, sum);
  }
  return [...sums.values()];
}

function emptySum({ organizationId, apiKeyId, model }: UsageFact, latencyBucket: number): UsageSum {
  const counts = { requests: 0, failures: 0, inputTokens: 0, pages: 0, microseconds: 0 };
  return { organizationId, apiKeyId, model, latencyBucket, ...counts };
}
