import { type MeterAmounts, meters } from '../common/rules/meters.js';
import { toArrayLiteral } from '../database/array-literal.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { loadStatement } from '../database/sql-file.js';
import { budgetParameters } from '../limits/settle-budgets.js';
import { Settlement, type SettledRequest } from '../limits/settlements.js';
import { latencyBucketOf } from './latency-buckets.js';
import { maxSum, usageColumns } from './usage-columns.js';

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
  /** From the arrival of a streamed request to the first token of its response; undefined without one. */
  firstTokenMilliseconds?: number | undefined;
  /** IP address of the client, if it's known. */
  address?: string | null;
  /** Whether the key was sent with its secret from before the last rotation. */
  usesPreviousSecret?: boolean;
  /** In billionths of the currency. By default, what all amounts together cost at the price of the model, if it has one. */
  cost?: bigint;
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
  pricedRequests?: number;
  cost?: bigint;
  firstTokens?: number;
  firstTokenMicroseconds?: number;
}

type Column = (typeof usageColumns)[number];

/** Settings of connections that write usage. */
export const usageWriterSettings = [
  // One generic plan: planning for each array length would take longer than everything else.
  'set plan_cache_mode = force_generic_plan',
  // The plan outlives the statistics it was made with, so it must not become a scan of all keys. Nested loops lock counters in
  // the order of their primary key.
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
].join('; ');

/** The files of the statements, by what they settle. */
const kinds = {
  nothing: { file: 'usage/write-usage.sql', parameters: [], condition: 'true' },
  /** Changes nothing and returns false if it can't settle the requests. */
  budgets: {
    file: 'usage/write-usage-and-budgets.sql',
    parameters: budgetParameters,
    condition: '(select are_all from known_budgets)',
  },
  limits: { file: 'usage/write-usage-and-limits.sql', parameters: ['settlements'], condition: 'true' },
} as const;

type Kind = keyof typeof kinds;

/** Writes the columns of the meters that were used, so that the others cost nothing. */
class WriteStatement {
  /** Names the combination of columns by a number, because PostgreSQL limits the length of names. */
  readonly name: string;
  readonly sql: ReturnType<typeof loadWrite>;

  constructor(
    readonly used: readonly Column[],
    kind: Kind,
  ) {
    this.name = `write-usage-${kind}-${combinationOf(used)}`;
    this.sql = used.length === usageColumns.length ? writeAllColumns[kind] : loadWrite(used, kind);
  }
}

function loadWrite(used: readonly Column[], kind: Kind) {
  const { file, parameters, condition } = kinds[kind];
  return loadStatement<string>(file, {
    parameters: [
      ...['organizationIds', 'apiKeyIds', 'models', 'latencyBuckets', 'requests', 'failures', 'limited'],
      ...used.map(({ name }) => name),
      ...['microseconds', 'usedKeyIds', 'addresses', 'usesPrevious'],
      ...parameters,
    ],
    fragments: { condition },
    lists: { columns: used.map(({ name, column }) => ({ name, column, total: totalOf(column) })) },
  });
}

/** SQL that adds to a row. Only costs are large enough to reach the end of bigint. */
function totalOf(column: string): string {
  const total = `coalesce(usage.${column}, 0)`;
  if (column !== 'cost') return `${total} + excluded.${column}`;
  return `least(${total}::numeric + excluded.${column}, ${maxSum})::bigint`;
}

const combinationOf = (used: readonly Column[]) =>
  used.reduce((sum, column) => sum + 2 ** usageColumns.indexOf(column), 0);

/** By kind and combination of columns. */
const statements = new Map<string, WriteStatement>();

/** Exported for the test that compares them with the schema. */
export const writeAllColumns = {
  nothing: loadWrite(usageColumns, 'nothing'),
  budgets: loadWrite(usageColumns, 'budgets'),
  limits: loadWrite(usageColumns, 'limits'),
};

function statementFor(sums: readonly UsageSum[], kind: Kind): WriteStatement {
  const used = usageColumns.filter(({ name }) => sums.some((sum) => sum[name] !== undefined));
  const name = `${kind} ${combinationOf(used)}`;
  const statement = statements.get(name) ?? new WriteStatement(used, kind);
  statements.set(name, statement);
  return statement;
}

/**
 * Adds facts to the usage of the current hour, updates when their keys were last used, and settles their limits, in one
 * statement. Ignores facts of deleted organizations.
 *
 * @throws errors of pg
 */
export async function writeUsage(connection: DedicatedConnection, facts: readonly UsageFact[]): Promise<void> {
  const settled = facts.flatMap(({ settlement }) => settlement ?? []);
  if (settled.length === 0) {
    await write(connection, facts, 'nothing', {});
    return;
  }
  const settlement = new Settlement(settled);
  const { ofBudgets } = settlement;
  const [[isWritten] = [false]] = ofBudgets === undefined ? [] : await write(connection, facts, 'budgets', ofBudgets);
  if (isWritten !== true) await write(connection, facts, 'limits', { settlements: settlement.toJson() });
}

function write(
  connection: DedicatedConnection,
  facts: readonly UsageFact[],
  kind: Kind,
  settlement: Record<string, unknown>,
): Promise<unknown[][]> {
  const sums = sumUp(facts.filter(({ outcome }) => outcome !== 'unrecorded'));
  const callers = new Map(facts.map(({ apiKeyId, address }) => [apiKeyId, address ?? null]));
  const previousUses = facts.filter(({ usesPreviousSecret }) => usesPreviousSecret === true);
  const usesPrevious = new Set(previousUses.map(({ apiKeyId }) => apiKeyId));
  const { name: statement, sql, used } = statementFor(sums, kind);
  const arrayOf = (read: (sum: UsageSum) => string | number | bigint) => toArrayLiteral(sums.map(read));
  const values = sql.bind({
    organizationIds: arrayOf(({ organizationId }) => organizationId),
    apiKeyIds: arrayOf(({ apiKeyId }) => apiKeyId),
    models: sums.map(({ model }) => model),
    latencyBuckets: arrayOf(({ latencyBucket }) => latencyBucket),
    requests: arrayOf(({ requests }) => requests),
    failures: arrayOf(({ failures }) => failures),
    limited: arrayOf(({ limited }) => limited),
    ...Object.fromEntries(used.map(({ name }) => [name, arrayOf((sum) => sum[name] ?? 0)])),
    microseconds: arrayOf(({ microseconds }) => microseconds),
    usedKeyIds: toArrayLiteral([...callers.keys()]),
    addresses: [...callers.values()],
    usesPrevious: toArrayLiteral([...callers.keys()].map((id) => usesPrevious.has(id))),
    ...settlement,
  });
  return connection.query({ name: statement, text: sql.text, values, rowMode: 'array' });
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
    if (fact.cost !== undefined) {
      sum.pricedRequests = (sum.pricedRequests ?? 0) + 1;
      sum.cost = (sum.cost ?? 0n) + fact.cost;
    }
    if (fact.firstTokenMilliseconds !== undefined) {
      sum.firstTokens = (sum.firstTokens ?? 0) + 1;
      sum.firstTokenMicroseconds = (sum.firstTokenMicroseconds ?? 0) + Math.round(fact.firstTokenMilliseconds * 1000);
    }
    sum.microseconds += Math.round(fact.milliseconds * 1000);
  }
  return [...sums.values()];
}

function emptySum({ organizationId, apiKeyId, model }: UsageFact, latencyBucket: number): UsageSum {
  return { organizationId, apiKeyId, model, latencyBucket, requests: 0, failures: 0, limited: 0, microseconds: 0 };
}
