import type { Metric } from '@rules/limit-rules.js';
import { type Amount, formatAmount, fromUnits, nameAmount, readUnits } from '../../../common/limits/amounts.js';
import { describeLimit, describeModels } from '../../../common/limits/describe-limit.js';
import type { LimitRow } from '../../../common/limits/limit-rows.js';
import { formatCount, pluralize } from '../../../lib/format-numbers.js';
import { minuteTime } from '../../../lib/format-time.js';
import { increasedOf, rangeOf, type SharedLimit } from './shared-limits.js';

type Limit = SharedLimit<unknown>;

interface Context {
  /** How many keys are selected. */
  total: number;
  currency: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

const metricNames: Record<Metric, string> = {
  requests: 'Requests',
  tokens: 'Tokens',
  pages: 'Pages',
  cost: 'Cost',
  concurrency: 'Concurrent requests',
};

/** Such as "Cost per month for gpt-mini (12 keys)". */
export function nameSharedLimit({ metric, per, models, owners }: Limit): string {
  const period = per === undefined ? '' : ` per ${per}`;
  return `${metricNames[metric]}${period}${describeModels(models)} (${pluralize(owners.length, 'key')})`;
}

/**
 * Describes what an increase of the limits of several keys does, such as "Adds $20.00 to the limits of 12 keys ($10.00 to $60.00
 * per month) until 5 Dec 2026, 18:00 CET. 3 other keys have no such limit." While it's incomplete, describes the limits.
 */
export function describeSharedIncrease(
  shared: Limit,
  { by, until }: LimitRow['increase'],
  { total, currency, now }: Context,
): string {
  const { metric, owners } = shared;
  const added = readUnits(metric, by);
  const end = new Date(until).getTime();
  const [range, others] = [describeRange(shared, currency), describeOthers(total - owners.length)];
  if (added === undefined || Number.isNaN(end) || end <= now) {
    const have = owners.length === 1 ? 'has' : 'have';
    return joinSentences([`${pluralize(owners.length, 'key')} ${have} this limit (${range}).`, others]);
  }
  const amount = nameAmount(metric, fromUnits(metric, added), currency);
  const limits = owners.length === 1 ? 'limit' : 'limits';
  return joinSentences([
    `Adds ${amount} to the ${limits} of ${pluralize(owners.length, 'key')} (${range}) until ${minuteTime(new Date(end).toISOString())}.`,
    others,
    describeReplaced(increasedOf(shared, now).length),
  ]);
}

/** Describes what removing the increases of several keys does, such as "Removes the increase of 1 key. Its limit is …". */
export function describeRemoval(shared: Limit, currency: string | undefined): string {
  const increased = { ...shared, owners: increasedOf(shared) };
  const count = increased.owners.length;
  const after = count === 1 ? 'Its limit is' : 'Their limits are';
  return `Removes the increase of ${pluralize(count, 'key')} immediately. ${after} ${describeRange(increased, currency)} again.`;
}

/** The maximums without increases, such as "$10.00 to $60.00 per month". */
function describeRange(shared: Limit, currency: string | undefined): string {
  const { metric, per } = shared;
  const [lowest, highest] = rangeOf(shared);
  const max = describeLimit({ metric, ...(per && { per }), max: fromUnits(metric, highest) }, currency);
  return lowest === highest ? max : `${shortAmount(metric, fromUnits(metric, lowest), currency)} to ${max}`;
}

/** Without the noun, which follows the highest one. */
function shortAmount(metric: Metric, amount: Amount, currency: string | undefined): string {
  return (metric === 'cost' ? nameAmount : formatAmount)(metric, amount, currency);
}

function describeOthers(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 other key has no such limit.' : `${formatCount(count)} other keys have no such limit.`;
}

function describeReplaced(count: number): string {
  return count === 0 ? '' : `Replaces the increase of ${pluralize(count, 'key')}.`;
}

const joinSentences = (sentences: readonly string[]) => sentences.filter((sentence) => sentence !== '').join(' ');
