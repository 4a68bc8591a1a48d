import {
  maxConcurrency,
  maxCostLimit,
  maxLimit,
  maxLimitModels,
  maxNotices,
  type Metric,
  type Period,
} from '@rules/limit-rules.js';
import { costDecimals } from '@rules/price-rules.js';
import { formatCount } from '../../lib/format-numbers.js';
import { readAmount, readMeanings, toBillionths } from '../../lib/money.js';
import { isSameLimit, type LimitRow, type LimitValues } from './limit-rows.js';

type FieldRule<Value> = (value: Value, values: LimitValues, path: string) => string | undefined;

const max: FieldRule<LimitRow['max']> = (value, values, path) => {
  const row = rowAt(values, path);
  return row && checkAmount(value, row.metric);
};

const by: FieldRule<number | string> = (value, values, path) => {
  const row = rowAt(values, path);
  if (row === undefined || (value === '' && row.increase.until === '')) return undefined;
  return checkAmount(value, row.metric);
};

const until: FieldRule<string> = (value, values, path) => {
  if (value === '' && rowAt(values, path)?.increase.by === '') return undefined;
  return Number.isNaN(Date.parse(value)) ? 'Enter both a date and a time.' : undefined;
};

const per: FieldRule<Period | undefined> = (_per, values, path) => {
  const index = indexOf(path);
  const row = values.limits[index];
  if (row === undefined || !values.limits.slice(0, index).some((other) => isSameLimit(other, row))) return undefined;
  const what = row.per === undefined ? 'concurrent requests' : `${row.metric} per ${row.per}`;
  return `There is already a limit on ${what}${row.models.length === 0 ? '' : ' for these models'}.`;
};

const models: FieldRule<string[]> = ({ length }) =>
  length > maxLimitModels ? `Choose at most ${maxLimitModels} models.` : undefined;

const notifyAt: FieldRule<string[]> = (percents) => {
  if (percents.length > maxNotices) return `Enter at most ${maxNotices} percentages.`;
  return percents.every((percent) => /^[1-9]\d?$|^100$/.test(percent))
    ? undefined
    : 'Enter whole percentages from 1 to 100.';
};

/** Validates the rows of a form. */
export const limitRules = { max, per, models, increase: { by, until }, notifyAt };

/** Returns an error message, or undefined if the amount is valid. */
export function checkAmount(value: number | string, metric: Metric): string | undefined {
  if (metric === 'cost') return checkCost(String(value));
  const highest = metric === 'concurrency' ? maxConcurrency : maxLimit;
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= highest;
  return isValid ? undefined : `Enter a whole number from 1 to ${formatCount(highest)}.`;
}

function checkCost(text: string): string | undefined {
  const meanings = readMeanings(text);
  if (meanings !== undefined) return `Enter ${meanings.join(' or ')}: ${text.trim()} can mean both.`;
  const amount = readAmount(text);
  const [, fraction = ''] = (amount ?? '').split('.');
  if (amount === undefined) return 'Enter an amount, such as 25.00.';
  if (fraction.length > costDecimals) return `Enter at most ${costDecimals} decimals.`;
  const billionths = toBillionths(amount);
  return billionths > 0n && billionths <= toBillionths(String(maxCostLimit))
    ? undefined
    : `Enter an amount above 0, and at most ${formatCount(maxCostLimit)}.`;
}

function rowAt({ limits }: LimitValues, path: string): LimitRow | undefined {
  return limits[indexOf(path)];
}

/** The index of the limit with a field, such as 1 in `limits.1.increase.by`. */
function indexOf(path: string): number {
  return Number(path.split('.')[1]);
}
