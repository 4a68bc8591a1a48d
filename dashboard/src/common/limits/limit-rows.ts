import { isBudget, maxLimits, type Metric, metrics, type Period, periodsOf } from '@rules/limit-rules.js';
import type { Limit, LimitIncrease } from '../../api/schema.js';
import { toLocalField } from '../../lib/local-field.js';
import { readAmount, toAmountField } from '../../lib/money.js';
import type { Amount } from './amounts.js';

/** A limit as entered in a form. Its fields are named like those of the API, whose errors name them. */
export interface LimitRow {
  metric: Metric;
  /** Undefined for concurrent requests. */
  per: Period | undefined;
  /** A text for costs, and while the field is empty or incomplete. */
  max: number | string;
  /** Empty for all models. */
  models: string[];
  increase: {
    /** Empty without an increase. */
    by: number | string;
    /** The value of a `datetime-local` field. */
    until: string;
    /** The exact time that `until` was set from. */
    savedUntil?: string;
  };
  /** Percentages, as text. */
  notifyAt: string[];
}

/** The part of a form that has limits. */
export interface LimitValues {
  limits: LimitRow[];
}

const noOptions = { models: [], increase: { by: '', until: '' }, notifyAt: [] };

/**
 * Returns a row for a limit that the others don't have yet, or for a further one, which needs models of its own. Undefined
 * if there are as many as allowed.
 */
export function newRow(rows: readonly LimitRow[]): LimitRow | undefined {
  if (rows.length >= maxLimits) return undefined;
  const common: (Period | undefined)[] = ['minute', 'day', 'month', 'week', 'hour', 'second', undefined];
  const candidates = metrics.flatMap((metric) =>
    common.filter((per) => isPeriodOf(metric, per)).map((per) => ({ ...noOptions, metric, per, max: '' })),
  );
  return candidates.find((candidate) => !rows.some((row) => isSameLimit(row, candidate))) ?? candidates[0];
}

/** Changes what a row counts, and what isn't possible for the metric. */
export function withMetric(row: LimitRow, metric: Metric): LimitRow {
  const per = isPeriodOf(metric, row.per) ? row.per : defaultPeriod(metric);
  const convert = (amount: number | string) => toMetric(amount, row.metric, metric);
  const { by, ...until } = row.increase;
  return withPeriod({ ...row, metric, max: convert(row.max), increase: { ...until, by: convert(by) } }, per);
}

/** Changes the period of a row. Only budgets have alerts. */
export function withPeriod(row: LimitRow, per: Period | undefined): LimitRow {
  return { ...row, per, notifyAt: isBudget({ per }) ? row.notifyAt : [] };
}

/** Returns limits or their states as rows of a form. */
export function toRows(limits: readonly Limit[], currency?: string): LimitRow[] {
  return limits.map(({ metric, per, max, models, increase, notifyAt }) => {
    const toField = (amount: Amount) => (metric === 'cost' ? toAmountField(String(amount), currency) : amount);
    return {
      metric,
      per,
      max: toField(max),
      models: models ?? [],
      increase:
        increase == null
          ? noOptions.increase
          : {
              by: toField(increase.by),
              until: toLocalField(Date.parse(increase.until)),
              savedUntil: increase.until,
            },
      notifyAt: (notifyAt ?? []).map(String),
    };
  });
}

/** Returns the limits of valid rows if they differ from the initial ones. */
export function changedLimits(rows: readonly LimitRow[], initial: readonly LimitRow[]): Limit[] | undefined {
  const limits = rows.map(toLimit);
  const texts = (list: readonly Limit[]) => list.map((limit) => JSON.stringify(limit)).sort();
  const [after, before] = [texts(limits), texts(initial.map(toLimit))];
  return after.join() === before.join() ? undefined : limits;
}

/** Whether two limits may not be set together. */
export function isSameLimit(
  one: Pick<LimitRow, 'metric' | 'per'> & { models?: readonly string[] | undefined },
  other: Pick<LimitRow, 'metric' | 'per'> & { models?: readonly string[] | undefined },
): boolean {
  return one.metric === other.metric && one.per === other.per && textOf(one.models) === textOf(other.models);
}

const textOf = (models: readonly string[] = []) => JSON.stringify([...models].sort());

function isPeriodOf(metric: Metric, per: Period | undefined): boolean {
  const periods = periodsOf(metric);
  return per === undefined ? periods.length === 0 : periods.includes(per);
}

function defaultPeriod(metric: Metric): Period | undefined {
  if (metric === 'cost') return 'month';
  return periodsOf(metric).length === 0 ? undefined : 'minute';
}

/** From this count on, a comma or point that was typed as a decimal separator may have been read as one of groups. */
const firstGrouped = 1000;

/** Costs are texts, everything else whole numbers. */
function toMetric(amount: number | string, from: Metric, to: Metric): number | string {
  if (amount === '' || (from === 'cost') === (to === 'cost')) return amount;
  if (to === 'cost') return Number(amount) < firstGrouped ? String(amount) : '';
  const decimal = readAmount(String(amount)) ?? '';
  return /^\d{1,13}$/.test(decimal) ? Number(decimal) : '';
}

function toLimit({ metric, per, max, models, increase, notifyAt }: LimitRow): Limit {
  return {
    metric,
    ...(per !== undefined && { per }),
    max: toAmount(metric, max),
    ...(models.length > 0 && { models: [...models].sort() }),
    ...(increase.by !== '' && { increase: toIncrease(metric, increase) }),
    ...(notifyAt.length > 0 && { notifyAt: notifyAt.map(Number).sort((one, other) => one - other) }),
  } satisfies Limit & { increase?: LimitIncrease };
}

/** Returns an increase that was entered as the API takes it. */
export function toIncrease(metric: Metric, increase: LimitRow['increase']): LimitIncrease {
  return { by: toAmount(metric, increase.by), until: timeOf(increase) };
}

function toAmount(metric: Metric, amount: number | string): Amount {
  return metric === 'cost' ? (readAmount(String(amount)) ?? String(amount)) : Number(amount);
}

/** The field has no seconds, so an unchanged time stays as it was. */
function timeOf({ until, savedUntil }: LimitRow['increase']): string {
  if (savedUntil !== undefined && toLocalField(Date.parse(savedUntil)) === until) return savedUntil;
  const time = new Date(until);
  // An invalid time is an error of its own.
  return Number.isNaN(time.getTime()) ? until : time.toISOString();
}
