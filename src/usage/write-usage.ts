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

/** What several facts add to one row; named like its columns. */
interface UsageSum {
  readonly organization_id: string;
  readonly api_key_id: string;
  readonly model: string;
  readonly latency_bucket: number;
  requests: number;
  failures: number;
  input_tokens: number;
  pages: number;
  microseconds: number;
}

/**
 * Rows are written in the order of their primary key, the same in every replica, so that two that write the same
 * rows wait for each other but never in a circle. Keys are marked as used once a second at most, and only those
 * that nobody is changing at the moment: a locked key must not hold up the requests of all others.
 */
const upsert = `
  with sums as (
    select sums.* from json_to_recordset($1) as sums (
      organization_id uuid, api_key_id uuid, model text, latency_bucket smallint,
      requests bigint, failures bigint, input_tokens bigint, pages bigint, microseconds bigint
    )
    join organizations on organizations.id = organization_id
  ), used as (
    select id from api_keys
    where id in (select api_key_id from sums)
      and (last_used_at is null or last_used_at < now() - interval '1 second')
    for no key update skip locked
  ), marked as (
    update api_keys set last_used_at = now() from used where api_keys.id = used.id
  )
  insert into usage (
    organization_id, hour, api_key_id, model, latency_bucket, requests, failures, input_tokens, pages, microseconds
  )
  select organization_id, date_trunc('hour', now(), 'UTC'), api_key_id, model, latency_bucket,
    requests, failures, input_tokens, pages, microseconds
  from sums order by organization_id, api_key_id, model collate "C", latency_bucket
  on conflict (organization_id, hour, api_key_id, model, latency_bucket) do update set
    requests = usage.requests + excluded.requests,
    failures = usage.failures + excluded.failures,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    pages = usage.pages + excluded.pages,
    microseconds = usage.microseconds + excluded.microseconds`;

/**
 * Adds the facts to the usage of the current hour and marks their keys as used, all or nothing.
 *
 * @throws whatever pg throws
 */
export async function writeUsage(connection: DedicatedConnection, facts: readonly UsageFact[]): Promise<void> {
  await connection.query({
    name: 'write-usage',
    text: upsert,
    values: [JSON.stringify(sumUp(facts))],
    rowMode: 'array',
  });
}

function sumUp(facts: readonly UsageFact[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const fact of facts) {
    const bucket = latencyBucketOf(fact.milliseconds);
    const row = `${fact.apiKeyId} ${bucket} ${fact.model}`;
    const sum = sums.get(row) ?? emptySum(fact, bucket);
    sum.requests += 1;
    sum.failures += fact.isFailure ? 1 : 0;
    sum.input_tokens += fact.inputTokens;
    sum.pages += fact.pages;
    sum.microseconds += Math.round(fact.milliseconds * 1000);
    sums.set(row, sum);
  }
  return [...sums.values()];
}

function emptySum({ organizationId, apiKeyId, model }: UsageFact, bucket: number): UsageSum {
  return {
    organization_id: organizationId,
    api_key_id: apiKeyId,
    model,
    latency_bucket: bucket,
    requests: 0,
    failures: 0,
    input_tokens: 0,
    pages: 0,
    microseconds: 0,
  };
}
