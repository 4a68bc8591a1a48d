import { RetentionService } from '../../src/retention/retention.service.js';
import { latencyBucketOf } from '../../src/usage/latency-buckets.js';
import type { TestApp } from '../../test/setup/test-app.js';
import type { ExampleKey } from './example-keys.js';
import { insertExampleRequests } from './example-requests.js';
import { type ExampleRequest, requestsOf } from './example-traffic.js';
import { createRandom } from './random.js';

const hourMilliseconds = 3_600_000;

interface UsageRow {
  hour: Date;
  apiKeyId: string;
  model: string;
  latencyBucket: number;
  requests: number;
  failures: number;
  inputTokens: number;
  pages: number;
  microseconds: number;
  cost: number;
}

interface FailureRow {
  hour: Date;
  apiKeyId: string;
  model: string;
  status: number;
  code: string;
  requests: number;
}

/**
 * Inserts two months of usage and failures of each key, starting at its creation, its latest requests, and when it was last
 * used.
 *
 * @returns what the busiest key cost this month, in billionths
 */
export async function insertExampleUsage(
  service: TestApp,
  organizationId: string,
  keys: readonly ExampleKey[],
): Promise<number> {
  const random = createRandom();
  const traffic = keys.map((key) => ({ key, requests: [...requestsOf(key, random)] }));
  const usage = traffic.flatMap(({ key, requests }) => sumUp(key, requests));
  const failures = traffic.flatMap(({ key, requests }) => countFailures(key, requests));
  await insertExampleRequests(service, organizationId, traffic);
  await insertUsage(service, organizationId, usage);
  await insertFailures(service, organizationId, failures);
  for (const { key, requests } of traffic) await noteLastUse(service, key, requests.at(-1));
  await service.app.get(RetentionService).run();
  const [busiest] = traffic;
  return (busiest?.requests ?? []).reduce((sum, { occurredAt, cost }) => sum + (isThisMonth(occurredAt) ? cost : 0), 0);
}

const hourOf = ({ occurredAt }: ExampleRequest) =>
  new Date(Math.floor(occurredAt.getTime() / hourMilliseconds) * hourMilliseconds);

const isThisMonth = (time: Date) => time.toISOString().slice(0, 7) === new Date().toISOString().slice(0, 7);

/** A row for each hour and latency bucket. */
function sumUp({ id: apiKeyId, model }: ExampleKey, requests: readonly ExampleRequest[]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  const none = { requests: 0, failures: 0, inputTokens: 0, pages: 0, microseconds: 0, cost: 0 };
  for (const request of requests) {
    const hour = hourOf(request);
    const latencyBucket = latencyBucketOf(request.milliseconds);
    const name = `${hour.getTime()} ${latencyBucket}`;
    const row = rows.get(name) ?? { hour, apiKeyId, model, latencyBucket, ...none };
    rows.set(name, row);
    row.requests += 1;
    row.failures += request.cause === undefined ? 0 : 1;
    row.inputTokens += request.inputTokens;
    row.pages += request.pages;
    row.microseconds += Math.round(request.milliseconds * 1000);
    row.cost += request.cost;
  }
  return [...rows.values()];
}

/** A row for each hour and cause. */
function countFailures({ id: apiKeyId, model }: ExampleKey, requests: readonly ExampleRequest[]): FailureRow[] {
  const rows = new Map<string, FailureRow>();
  for (const request of requests) {
    if (request.cause === undefined) continue;
    const hour = hourOf(request);
    const { status, code } = request.cause;
    const name = `${hour.getTime()} ${status} ${code}`;
    const row = rows.get(name) ?? { hour, apiKeyId, model, status, code, requests: 0 };
    rows.set(name, row);
    row.requests += 1;
  }
  return [...rows.values()];
}

async function insertUsage({ query }: TestApp, organizationId: string, rows: readonly UsageRow[]): Promise<void> {
  await query(
    `insert into usage (organization_id, hour, api_key_id, model, latency_bucket, requests, failures, input_tokens, pages,
       microseconds, priced_requests, cost)
     select $1, hour, "apiKeyId", model, "latencyBucket", requests, failures, "inputTokens", pages, microseconds, requests, cost
     from jsonb_to_recordset($2) as row (hour timestamptz, "apiKeyId" uuid, model text, "latencyBucket" smallint,
       requests bigint, failures bigint, "inputTokens" bigint, pages bigint, microseconds bigint, cost bigint)`,
    [organizationId, JSON.stringify(rows)],
  );
}

async function insertFailures({ query }: TestApp, organizationId: string, rows: readonly FailureRow[]): Promise<void> {
  await query(
    `insert into failure_counts (organization_id, hour, api_key_id, model, status, code, requests)
     select $1, hour, "apiKeyId", model, status, code, requests
     from jsonb_to_recordset($2) as row (hour timestamptz, "apiKeyId" uuid, model text, status smallint, code text,
       requests bigint)`,
    [organizationId, JSON.stringify(rows)],
  );
}

async function noteLastUse({ query }: TestApp, { id }: ExampleKey, last: ExampleRequest | undefined): Promise<void> {
  if (last === undefined) return;
  await query('update api_keys set last_used_at = $2, last_used_address = $3 where id = $1', [
    id,
    last.occurredAt,
    last.address,
  ]);
}
