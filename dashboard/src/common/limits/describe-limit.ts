import { budgetPeriods, isBudget, type Metric, metrics } from '@rules/limit-rules.js';
import type { Limit, LimitState } from '../../api/schema.js';
import { formatPercent, formatShare, pluralize } from '../../lib/format-numbers.js';
import { minuteTime, relativeTime } from '../../lib/format-time.js';
import { type Amount, formatAmount, nameAmount } from './amounts.js';

const maxNames = 3;
const hourMilliseconds = 3_600_000;
/** Until then, "in 1 day" could mean almost two days. */
const maxHours = 48;

/** Whether a value, such as one from the audit log, is a limit. */
export function isLimit(value: unknown): value is Limit {
  if (typeof value !== 'object' || value === null || !('metric' in value) || !('max' in value)) return false;
  return isMetric(value.metric) && isAmount(value.max);
}

function isMetric(value: unknown): value is Metric {
  return metrics.some((metric) => metric === value);
}

export function isAmount(value: unknown): value is Amount {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
}

/** Describes a limit, such as "60 requests per minute" or "$25.00 per month for gpt-mini". */
export function describeLimit(
  { metric, per, max, models }: Pick<Limit, 'metric' | 'per' | 'max' | 'models'>,
  currency: string | undefined,
): string {
  const period = per === undefined ? '' : ` per ${per}`;
  return `${nameAmount(metric, max, currency)}${period}${describeModels(models ?? undefined)}`;
}

/** Describes a limit with everything that is set, such as "$25.00 per month, $5.00 more until …, alerts at 80%". */
export function describeFully(limit: Limit, currency: string | undefined): string {
  return [describeLimit(limit, currency), ...describeOptions(limit, currency)].join(', ');
}

/** Describes the temporary increase and the alerts of a limit, if it has them. */
export function describeOptions(
  { metric, increase, notifyAt }: Pick<Limit, 'metric' | 'increase' | 'notifyAt'>,
  currency: string | undefined,
): string[] {
  return [
    ...(increase ? [`${nameIncrease(metric, increase.by, currency)} until ${minuteTime(increase.until)}`] : []),
    ...(notifyAt?.length ? [`alerts at ${namePercents(notifyAt)}`] : []),
  ];
}

/** Such as "Alerts at 80%, 100%" or "No alerts". */
export function describeAlerts({ notifyAt = [] }: Pick<LimitState, 'notifyAt'>): string {
  if (notifyAt.length === 0) return 'No alerts';
  return `Alerts at ${namePercents(notifyAt)}`;
}

/** Such as " for small, large and 2 other models"; empty for all models. */
export function describeModels(models: readonly string[] = []): string {
  if (models.length === 0) return '';
  if (models.length <= maxNames) return ` for ${models.join(', ')}`;
  return ` for ${models.slice(0, maxNames - 1).join(', ')} and ${models.length - maxNames + 1} other models`;
}

/** Such as "$5.00 more". */
export function nameIncrease(metric: Metric, by: Amount, currency: string | undefined): string {
  return metric === 'cost' ? `${nameAmount(metric, by, currency)} more` : `${formatAmount(metric, by, currency)} more`;
}

/** Such as "40 used, 10 of it reserved by running requests". */
export function describeUse({ metric, used, reserved, estimated }: LimitState, currency: string | undefined): string {
  const format = (amount: Amount) => formatAmount(metric, amount, currency);
  const parts = [
    ...(Number(reserved) > 0 ? [`${format(reserved)} of it reserved by running requests`] : []),
    ...(Number(estimated) > 0 ? [`${format(estimated)} of it estimated`] : []),
  ];
  return [`${format(used)} used`, ...parts].join(', ');
}

/** Describes when a limit is available again; undefined if all of it is. `now` is in milliseconds since 1970. */
export function describeReset({ per, used, resetsAt }: LimitState, now: number): string | undefined {
  if (resetsAt === null || (Number(used) === 0 && !isBudget({ per }))) return undefined;
  return `${isBudget({ per }) ? 'Resets' : 'Fully available again'} ${describeWait(resetsAt, now)}`;
}

function describeWait(resetsAt: string, now: number): string {
  const milliseconds = Date.parse(resetsAt) - now;
  if (milliseconds < 10_000) return 'in a few seconds';
  const hours = Math.round(milliseconds / hourMilliseconds);
  return hours >= 24 && hours < maxHours ? `in ${pluralize(hours, 'hour')}` : relativeTime(resetsAt, now);
}

/** In which time zone the periods of budgets begin; undefined in UTC, and without budgets. */
export function describeCalendar(limits: readonly Pick<Limit, 'per'>[], timeZone: string): string | undefined {
  const periods = budgetPeriods.filter((period) => limits.some(({ per }) => per === period));
  if (periods.length === 0 || timeZone === 'UTC') return undefined;
  const names = new Intl.ListFormat('en-GB').format(periods.map((period) => `${period}s`));
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} begin at midnight in ${timeZone}.`;
}

/** The used share of a limit, such as "80.0%". */
export function describeShare(used: bigint, max: bigint): string {
  return formatShare(Number(used), Number(max));
}

const namePercents = (percents: readonly number[]) => percents.map(formatPercent).join(', ');
