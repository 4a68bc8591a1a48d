import { isBudget } from '@rules/limit-rules.js';
import type { LimitState, ServedModel } from '../../api/schema.js';
import { readAmount } from '../../lib/money.js';
import { formatAmount, toUnits } from './amounts.js';
import { isSameLimit, type LimitRow } from './limit-rows.js';

const maxNames = 3;

/** Warns of a limit that is already used up. `states` are the states of the current limits. */
export function warnOfUse(
  row: LimitRow,
  states: readonly LimitState[],
  currency: string | undefined,
): string | undefined {
  const state = states.find((candidate) => isSameLimit({ ...candidate, per: candidate.per }, row));
  const max = row.metric === 'cost' ? readAmount(String(row.max)) : typeof row.max === 'number' ? row.max : undefined;
  if (state === undefined || max === undefined || !Number.isFinite(Number(max))) return undefined;
  const used = toUnits(row.metric, state.used);
  if (used === 0n || used < toUnits(row.metric, max)) return undefined;
  const text = formatAmount(row.metric, state.used, currency);
  if (row.metric === 'concurrency') return `${text} running, so requests are rejected until one ends.`;
  return `${text} already used, so requests are rejected until ${isBudget(row) ? 'it resets' : 'it refills'}.`;
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
  const rest = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `Requests to models without a price are rejected: ${names.slice(0, maxNames).join(', ')}${rest}.`;
}
