import { type Meter, type MeterAmounts, meters } from '../common/rules/meters.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { loadStatement } from '../database/sql-file.js';
import { type SettledRequest, toSettlements } from '../limits/reservation-queries.js';
import { latencyBucketOf } from './latency-buckets.js';

/** One request that was completed, or whose client disconnected, and what it has used. */
export interface UsageFact extends MeterAmounts {
  organizationId: string;
  apiKeyId: string;
  /** Id of the model in the catalog; empty if the request was rejected before it was known. */
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

/** Writes the columns of the meters that were used, so that the others cost nothing. */
class WriteStatement {
  /** Names the combination of meters by a number, because PostgreSQL limits the length of names. */
  readonly name: string;
  readonly sql: ReturnType<typeof loadWrite>;

  constructor(readonly used: readonly Meter[]) {
    this.name = `write-usage-${combinationOf(used)}`;
    this.sql = used.length === meters.length ? writeAllMeters : loadWrite(used);
  }
}

function loadWrite(used: readonly Meter[]) {
  return loadStatement<string>('usage/write-usage.sql', {
    parameters: [
      ...['organizationIds', 'apiKeyIds', 'models', 'latencyBuckets', 'requests', 'failures', 'limited'],
      ...used.map(({ name }) => name),
      ...['microseconds', 'usedKeyIds', 'addresses', 'usesPrevious', 'settlements'],
    ],
    lists: { meters: used.map(({ name, column }) => ({ name, column })) },
  });
}

const combinationOf = (used: readonly Meter[]) => used.reduce((sum, meter) => sum + 2 ** meters.indexOf(meter), 0);

/** By combination of meters. */
const statements = new Map<number, WriteStatement>();

/** Exported for the test that compares it with the schema. */
export const writeAllMeters = loadWrite(meters);

function statementFor(sums: readonly MeterAmounts[]): WriteStatement {
  const used = meters.filter(({ name }) => sums.some((sum) => sum[name] !== undefined));
  const combination = combinationOf(used);
  const statement = statements.get(combination) ?? new WriteStatement(used);
  statements.set(combination, statement);
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
  const { name, sql, used } = statementFor(sums);
  const arrayOf = (read: (sum: UsageSum) => string | number) => toUnescapedArray(sums.map(read));
  const values = sql.bind({
    organizationIds: arrayOf(({ organizationId }) => organizationId),
    apiKeyIds: arrayOf(({ apiKeyId }) => apiKeyId),
    models: sums.map(({ model }) => model),
    latencyBuckets: arrayOf(({ latencyBucket }) => latencyBucket),
    requests: arrayOf(({ requests }) => requests),
    failures: arrayOf(({ failures }) => failures),
    limited: arrayOf(({ limited }) => limited),
    ...Object.fromEntries(used.map((meter) => [meter.name, arrayOf((sum) => sum[meter.name] ?? 0)])),
    microseconds: arrayOf(({ microseconds }) => microseconds),
    usedKeyIds: toUnescapedArray([...callers.keys()]),
    addresses: [...callers.values()],
    usesPrevious: toUnescapedArray([...callers.keys()].map((id) => usesPrevious.has(id))),
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
