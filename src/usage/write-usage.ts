import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { type SettledRequest, toSettlements } from '../limits/reservation-queries.js';
import { latencyBucketOf } from './latency-buckets.js';

/** One request that was completed, or whose client disconnected. */
export interface UsageFact {
  organizationId: string;
  apiKeyId: string;
  /** Id of the model in the catalogue; empty if the request was rejected before it was known. */
  model: string;
  /** Requests `limited` by a limit count only as such; `unrecorded` ones, which used no model, not at all. */
  outcome: 'success' | 'failure' | 'limited' | 'unrecorded';
  inputTokens: number;
  /** Document pages read. */
  pages: number;
  /** From the arrival of the request to the end of the response. */
  milliseconds: number;
  /** IP address of the client, if it's known. */
  address?: string | null;
  /** Whether the key was sent with its previous secret. */
  usesPreviousSecret?: boolean;
  /** Whether tokens and pages are those that were reserved, because the upstream never reported what it used. */
  isEstimated?: boolean;
  /** Only for requests that have reserved something, or give back what they were charged. */
  settlement?: SettledRequest;
}

/** The sum of the facts for one row. */
interface UsageSum {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly model: string;
  readonly latencyBucket: number;
  requests: number;
  failures: number;
  limited: number;
  estimated: number;
  inputTokens: number;
  pages: number;
  microseconds: number;
}

/** Parameters of the statement, in order. Each is an array. */
const columns = [
  'organizationId',
  'apiKeyId',
  'model',
  'latencyBucket',
  'requests',
  'failures',
  'limited',
  'estimated',
  'inputTokens',
  'pages',
  'microseconds',
] as const satisfies (keyof UsageSum)[];

/**
 * Writes rows in the order of their primary key on every replica, so that concurrent writes can't deadlock. Updates
 * `last_used_at` and the IP address at most once a second, or twice while both secrets of a rotated key are used: a busy
 * current secret must not hide uses of the previous one. Skips locked keys, which would delay the requests of all other
 * keys. Settles limits last, so that their counters are locked only briefly.
 *
 * A request that ends after its secret was revoked doesn't update `previous_secret_last_used_at`, unless another rotation has
 * made a new previous secret in the meantime: it then counts as a use of that one.
 */
const upsert = `
  with used as (
    select api_keys.id, caller.address, caller.uses_previous
    from unnest($13::uuid[], $14::text[], $15::boolean[]) as caller (id, address, uses_previous)
    join api_keys on api_keys.id = caller.id
    where last_used_at is null or last_used_at < now() - interval '1 second'
      or uses_previous and (previous_secret_last_used_at is null or previous_secret_last_used_at < now() - interval '1 second')
    for no key update of api_keys skip locked
  ), marked as (
    update api_keys set last_used_at = now(), last_used_address = used.address,
      previous_secret_last_used_at =
        case when uses_previous and previous_secret_hash is not null then now() else previous_secret_last_used_at end
    from used where api_keys.id = used.id
  ), written as (
    insert into usage (
      organization_id, hour, api_key_id, model, latency_bucket,
      requests, failures, limited, estimated, input_tokens, pages, microseconds
    )
    select organization_id, date_trunc('hour', now(), 'UTC'), api_key_id, model, latency_bucket,
      requests, failures, limited, estimated, input_tokens, pages, microseconds
    from unnest(
      $1::uuid[], $2::uuid[], $3::text[], $4::smallint[],
      $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]
    ) as sums (
      organization_id, api_key_id, model, latency_bucket,
      requests, failures, limited, estimated, input_tokens, pages, microseconds
    )
    where exists (select from organizations where id = organization_id)
    order by organization_id, api_key_id, model collate "C", latency_bucket
    on conflict (organization_id, hour, api_key_id, model, latency_bucket) do update set
      requests = usage.requests + excluded.requests,
      failures = usage.failures + excluded.failures,
      limited = usage.limited + excluded.limited,
      estimated = usage.estimated + excluded.estimated,
      input_tokens = usage.input_tokens + excluded.input_tokens,
      pages = usage.pages + excluded.pages,
      microseconds = usage.microseconds + excluded.microseconds
    returning 1
  )
  select settle_requests($12::json) from (select count(*) from written) as done where $12::json is not null`;

/**
 * Adds facts to the usage of the current hour, updates when their keys were last used, and settles their limits, in one
 * statement. Ignores facts of deleted organizations.
 *
 * @throws errors of pg
 */
export async function writeUsage(connection: DedicatedConnection, facts: readonly UsageFact[]): Promise<void> {
  const counted = facts.filter(({ outcome }) => outcome !== 'unrecorded');
  const sums = sumUp(counted);
  const callers = new Map(facts.map(({ apiKeyId, address }) => [apiKeyId, address ?? null]));
  const previousUses = facts.filter(({ usesPreviousSecret }) => usesPreviousSecret === true);
  const usesPrevious = new Set(previousUses.map(({ apiKeyId }) => apiKeyId));
  const settlements = facts.flatMap(({ settlement }) => settlement ?? []);
  const values = [
    ...columns.map((column) => {
      const values = sums.map((sum) => sum[column]);
      return column === 'model' ? values : toUnescapedArray(values);
    }),
    settlements.length === 0 ? null : toSettlements(settlements),
    toUnescapedArray([...callers.keys()]),
    [...callers.values()],
    toUnescapedArray([...callers.keys()].map((id) => usesPrevious.has(id))),
  ];
  await connection.query({ name: 'write-usage', text: upsert, values, rowMode: 'array' });
}

/** An array of numbers, booleans or UUIDs, which need no escaping. pg would escape them. */
function toUnescapedArray(values: readonly (string | number | boolean)[]): string {
  return `{${values.join()}}`;
}

function sumUp(facts: readonly UsageFact[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const fact of facts) {
    const isLimited = fact.outcome === 'limited';
    const latencyBucket = isLimited ? 0 : latencyBucketOf(fact.milliseconds);
    const row = `${fact.apiKeyId} ${latencyBucket} ${fact.model}`;
    const sum = sums.get(row) ?? emptySum(fact, latencyBucket);
    sums.set(row, sum);
    if (isLimited) {
      sum.limited += 1;
      continue;
    }
    sum.requests += 1;
    sum.failures += fact.outcome === 'failure' ? 1 : 0;
    sum.estimated += fact.isEstimated === true ? 1 : 0;
    sum.inputTokens += fact.inputTokens;
    sum.pages += fact.pages;
    sum.microseconds += Math.round(fact.milliseconds * 1000);
  }
  return [...sums.values()];
}

function emptySum({ organizationId, apiKeyId, model }: UsageFact, latencyBucket: number): UsageSum {
  const counts = { requests: 0, failures: 0, limited: 0, estimated: 0, inputTokens: 0, pages: 0, microseconds: 0 };
  return { organizationId, apiKeyId, model, latencyBucket, ...counts };
}
