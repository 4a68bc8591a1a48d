import { type MeterName, meters } from '@rules/meters.js';
import type { UsageColumnName } from '@rules/usage-rows.js';
import type { UsageReport } from '../../../api/schema.js';

/** Times of days or hours can't be combined, so those of the whole range have columns, too. */
export const timeLabels = {
  medianMilliseconds: 'Latency, median (ms)',
  p95Milliseconds: 'Latency, p95 (ms)',
  p99Milliseconds: 'Latency, p99 (ms)',
  firstTokenMilliseconds: 'Time to first token (ms)',
};

const labels: Record<Exclude<UsageColumnName, MeterName | 'start' | 'cost' | 'currency'>, string> = {
  apiKeyId: 'Key ID',
  apiKeyName: 'Key',
  apiKeyHint: 'Key (first characters)',
  model: 'Model',
  tag: 'Tag (keys count for each of their tags)',
  creatorId: 'Person ID',
  creatorName: 'Person',
  requests: 'Requests',
  failures: 'Failed requests',
  limited: 'Rejected by a limit',
  // Explains empty costs.
  unpricedRequests: 'Requests without a price (not in cost)',
  ...timeLabels,
};

const meterTitles = Object.fromEntries(meters.map(({ name, title }) => [name, title])) as Record<MeterName, string>;

/** The labels of columns, as on the page, with their units. Empty for the currency, which is the unit of costs. */
export function columnLabels({
  currency,
  interval,
}: Pick<UsageReport, 'currency' | 'interval'>): Record<UsageColumnName, string> {
  return {
    ...labels,
    ...meterTitles,
    start: interval === 'hour' ? 'Hour' : 'Day',
    cost: `Cost (${currency})`,
    currency: '',
  };
}
