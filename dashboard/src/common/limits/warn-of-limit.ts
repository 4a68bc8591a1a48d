import { isBudget } from '@rules/limit-rules.js';
import type { LimitState, ServedModel } from '../../api/schema.js';
import { pluralize } from '../../lib/format-numbers.js';
import { formatAmount, fromUnits, readUnits, toUnits } from './amounts.js';
import { isSameLimit, type LimitRow } from './limit-rows.js';

const maxNames = 3;

/** What is known in addition to the states of the current limits. */
interface KnownUse {
  /** Milliseconds since 1970. */
  now: number;
  /** What was used in the period of a budget, in units. */
  recorded?: bigint | undefined;
}

/** Warns of a limit that is already used up. `states` are the states of the current limits. */
export function warnOfUse(
  row: LimitRow,
  states: readonly LimitState[],
  currency: string | undefined,
  { now, recorded }: KnownUse,
): string | undefined {
  const { metric } = row;
  const state = states.find((candidate) => isSameLimit({ ...candidate, per: candidate.per }, row));
  const used = state === undefined ? recorded : toUnits(metric, state.used);
  const max = allowedUnits(row, now);
  if (used === undefined || max === undefined || used === 0n || used < max) return undefined;
  const text = formatAmount(metric, fromUnits(metric, used), currency);
  if (metric === 'concurrency') return `${text} running, so requests are rejected until one ends.`;
  return `${text} already used, so requests are rejected until ${isBudget(row) ? 'it resets' : 'it refills'}.`;
}

/** Warns of keys that have already used a budget up; undefined if none has. */
export function warnOfKeys<Key extends { name: string }>(
  row: LimitRow,
  keys: readonly Key[],
  usedOf: (key: Key) => bigint,
  now: number,
): string | undefined {
  const max = allowedUnits(row, now);
  if (max === undefined || !isBudget(row)) return undefined;
  const over = keys.filter((key) => usedOf(key) > 0n && usedOf(key) >= max).map(({ name }) => name);
  if (over.length === 0) return undefined;
  const [have, their] = over.length === 1 ? ['has', 'Its'] : ['have', 'Their'];
  const subject = `${pluralize(over.length, 'key')} ${have} already used this much ${currentPeriods[row.per]}`;
  return `${subject}: ${nameSome(over)}. ${their} requests are rejected until the budget resets.`;
}

const currentPeriods = { day: 'today', week: 'this week', month: 'this month' };

/** What a row allows now, with an increase that hasn't ended, in units; undefined while it's incomplete. */
function allowedUnits({ metric, max, increase: { by, until } }: LimitRow, now: number): bigint | undefined {
  const units = readUnits(metric, max);
  const isIncreased = Date.parse(until) > now;
  return units === undefined || !isIncreased ? units : units + (readUnits(metric, by) ?? 0n);
}

/** Such as "a, b, c and 2 more". */
export function nameSome(names: readonly string[]): string {
  const rest = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${names.slice(0, maxNames).join(', ')}${rest}`;
}

/** Warns that a limit on costs rejects requests to models without a price. `allowed` are those a key may use; null: all. */
export function warnOfPrices(
  { metric, models: limited }: Pick<LimitRow, 'metric' | 'models'>,
  served: readonly Pick<ServedModel, 'id' | 'price'>[],
): string | undefined {
  if (metric !== 'cost') return undefined;
  const names = served
    .filter(({ id, price }) => price === null && (limited.length === 0 || limited.includes(id)))
    .map(({ id }) => id);
  if (names.length === 0) return undefined;
  return `Requests to models without a price are rejected: ${nameSome(names)}.`;
}
