import { type Meter, type MeterAmounts, meters } from '../common/rules/meters.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { loadStatement } from '../database/sql-file.js';
import { type SettledRequest, toSettlements } from '../limits/reservation-queries.js';
import { latencyBucketOf } from './latency-buckets.js';

/** One request that was completed, or whose client disconnected, and what it has used. */
export interface UsageFact extends MeterAmounts {
  organizationId: string;
  apiKeyId: string;
  /** Id of the model in the catalogue; empty if the request was rejected before it was known. */
  model: string;
  /** Requests `limited` by a limit count only as such; `unrecorded` ones, which used no model, not at all. */
  outcome: 'success' | 'failure' | 'limited' | 'unrecorded';
  /** From the arrival of the request to the end of the response. */
  milliseconds: number;
  /** IP address of the client, if it's known. */
  address?: string | null;
  /** Whether the key was sent with its secret from before the last rotation. */
  usesPreviousSecret?: boolean;
  /** Only for requests that have reserved something, or give back what they were charged. */
  settlement?: SettledRequest;
}

/** The sum of the facts for one row. */
interface UsageSum extends MeterAmounts {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly model: string;
  readonly latencyBucket: number;
  requests: number;
  failures: number;
  limited: number;
  microseconds: number;
}

/** Writes only the columns of some meters, so that the others cost nothing. */
interface WriteStatement {
  readonly name: string;
  readonly sql: ReturnType<typeof loadWrite>;
  readonly meters: readonly Meter[];
}

const statements = new Map<number, WriteStatement>();

function loadWrite(used: readonly Meter[]) {
  const columns = used.map(({ column }) => column);
  return loadStatement<string>('usage/write-usage.sql', {
    parameters: [
      ...['organization_ids', 'api_key_ids', 'models', 'latency_buckets', 'requests', 'failures', 'limited'],
      ...columns,
      ...['microseconds', 'used_key_ids', 'addresses', 'uses_previous', 'settlements'],
    ],
    lists: { meters: columns.map((column) => ({ column })) },
  });
}

/** The statement for the meters that have an amount. */
export function writeStatementOf(sums: readonly MeterAmounts[]): WriteStatement {
  const used = meters.filter(({ name }) => sums.some((sum) => (sum[name] ?? 0) > 0));
  // A number names the combination: PostgreSQL limits the length of names.
  const combination = used.reduce((sum, meter) => sum + 2 ** meters.indexOf(meter), 0);
  let statement = statements.get(combination);
  if (statement === undefined) {
    statement = { name: `write-usage-${combination}`, sql: loadWrite(used), meters: used };
    statements.set(combination, statement);
  }
  return statement;
}

/**
 * Adds facts to the usage of the current hour, updates when their keys were last used, and settles their limits, in one
 * statement. Ignores facts of deleted organizations.
 *
 * @throws errors of pg
 */
export async function writeUsage(connection: DedicatedConnection, facts: readonly UsageFact[]): Promise<void> {
  const sums = sumUp(facts.filter(({ outcome }) => outcome !== 'unrecorded'));
  const callers = new Map(facts.map(({ apiKeyId, address }) => [apiKeyId, address ?? null]));
  const previousUses = facts.filter(({ usesPreviousSecret }) => usesPreviousSecret === true);
  const usesPrevious = new Set(previousUses.map(({ apiKeyId }) => apiKeyId));
  const settlements = facts.flatMap(({ settlement }) => settlement ?? []);
  const { name, sql, meters: used } = writeStatementOf(sums);
  const arrayOf = (read: (sum: UsageSum) => string | number) => toUnescapedArray(sums.map(read));
  const values = sql.bind({
    organization_ids: arrayOf(({ organizationId }) => organizationId),
    api_key_ids: arrayOf(({ apiKeyId }) => apiKeyId),
    models: sums.map(({ model }) => model),
    latency_buckets: arrayOf(({ latencyBucket }) => latencyBucket),
    requests: arrayOf(({ requests }) => requests),
    failures: arrayOf(({ failures }) => failures),
    limited: arrayOf(({ limited }) => limited),
    ...Object.fromEntries(used.map((meter) => [meter.column, arrayOf((sum) => sum[meter.name] ?? 0)])),
    microseconds: arrayOf(({ microseconds }) => microseconds),
    used_key_ids: toUnescapedArray([...callers.keys()]),
    addresses: [...callers.values()],
    uses_previous: toUnescapedArray([...callers.keys()].map((id) => usesPrevious.has(id))),
    settlements: settlements.length === 0 ? null : toSettlements(settlements),
  });
  await connection.query({ name, text: sql.text, values, rowMode: 'array' });
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
    for (const { name } of meters) {
      const amount = fact[name];
      if (amount) sum[name] = (sum[name] ?? 0) + amount;
    }
    sum.microseconds += Math.round(fact.milliseconds * 1000);
  }
  return [...sums.values()];
}

function emptySum({ organizationId, apiKeyId, model }: UsageFact, latencyBucket: number): UsageSum {
  return { organizationId, apiKeyId, model, latencyBucket, requests: 0, failures: 0, limited: 0, microseconds: 0 };
}
