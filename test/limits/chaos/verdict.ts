import type { TestApp } from '../../setup/test-app.js';
import { costOf } from './models.js';
import type { ChaosOutcome, ChaosRun } from './run-chaos.js';

/** A limit after everything has ended. Costs are in billionths. */
export interface FinalLimit {
  readonly owner: string;
  readonly metric: 'requests' | 'tokens' | 'pages' | 'cost' | 'concurrency';
  readonly per: string;
  readonly models: string[] | null;
  readonly max: number;
  readonly charged: number;
  readonly held: number;
  /** What upstreams have billed for it. */
  readonly billed: number;
}

/** Makes what killed replicas have held expire. */
export async function expireHolds({ query }: Pick<TestApp, 'query'>): Promise<void> {
  await query('update limit_counters set held_generation = held_generation - 2');
}

/** Reads all limits of the keys and organizations of a run, with what upstreams have billed for them. */
export async function readLimits({ query }: Pick<TestApp, 'query'>, run: ChaosRun): Promise<FinalLimit[]> {
  const ids = [...new Set(run.keys.flatMap(({ id, member }) => [id, member.organizationId]))];
  const rows = await query<Omit<FinalLimit, 'billed'>>(
    `select def.owner_id as owner, def.metric, def.per, def.models, def.max::float8 as max,
       limit_charged(counter, def.metric, def.max, now, def.time_zone) as charged,
       limit_held(def.per, held, held_before, held_generation, level_at, now, def.time_zone)::float8 as held
     from (select clock_timestamp() as now) as clock
     cross join limit_definitions($1::uuid[], $1::uuid[]) as def
     join limit_counters as counter
       on counter.owner_id = def.owner_id and counter.metric = def.counter_metric and counter.per = def.per`,
    [ids],
  );
  return rows.map((row) => ({ ...row, billed: billedFor(row, run) }));
}

function billedFor({ owner, metric, models }: Omit<FinalLimit, 'billed'>, { keys, bills }: ChaosRun): number {
  const owned = new Set(
    keys.filter(({ id, member }) => id === owner || member.organizationId === owner).map(({ id }) => id),
  );
  const counted = bills.filter(({ label = '', model }) => {
    return owned.has(label.split(' ')[0] ?? '') && (models === null || models.includes(model));
  });
  return counted.reduce((sum, bill) => {
    if (metric === 'cost') return sum + costOf(bill);
    return metric === 'tokens' ? sum + bill.input + bill.output : sum;
  }, 0);
}

/** The limits that can't have been exceeded: budgets, except for one that was removed for a while. */
export function alwaysLimited(limits: readonly FinalLimit[], { keys }: ChaosRun): FinalLimit[] {
  const replaced = keys[1]?.id;
  return limits.filter(({ owner, per, models }) => isBudgetPeriod(per) && !(owner === replaced && models !== null));
}

const isBudgetPeriod = (per: string) => per === 'day' || per === 'week' || per === 'month';

/** Responses that say that a budget is exhausted, or too small. */
export function findExhausted(outcomes: readonly ChaosOutcome[]): string[] {
  return outcomes.flatMap(({ seen }) => {
    const message = /This (?:key|organization)'s limit of [^"]*It resets at/.exec(seen.text)?.[0];
    return seen.status === 429 && message !== undefined && !message.includes('Retry in') ? [message] : [];
  });
}

/** Whether what is charged leaves too little, as the response says. */
export function isJustified(message: string): boolean {
  const max = amountIn(message, /limit of ([\d.,]+)/);
  const charged = amountIn(message, /([\d.,]+) (?:USD|tokens?|requests?) charged/);
  const needed = amountIn(message, /use up to ([\d.,]+)|less than the ([\d.,]+)/);
  if (message.includes('is exhausted')) return charged >= max;
  return charged + needed > max || needed > max;
}

function amountIn(message: string, pattern: RegExp): number {
  const [, one, other] = pattern.exec(message) ?? [];
  return Number((one ?? other ?? '0').replace(/,/g, '').replace(/\.$/, ''));
}
