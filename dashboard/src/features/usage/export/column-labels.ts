import { type MeterName, meters } from '@rules/meters.js';
import type { UsageColumnName } from '@rules/usage-rows.js';
import type { UsageReport } from '../../../api/schema.js';

const labels: Record<Exclude<UsageColumnName, MeterName | 'start' | 'cost' | 'currency'>, string> = {
  apiKeyId: 'Key ID',
  apiKeyName: 'Key',
  apiKeyHint: 'Key (first characters)',
  model: 'Model',
  tag: 'Tag',
  creatorId: 'Person ID',
  creatorName: 'Person',
  requests: 'Requests',
  failures: 'Failed requests',
  limited: 'Rejected by a limit',
  // Explains empty costs.
  unpricedRequests: 'Requests without a price (not in cost)',
  medianMilliseconds: 'Latency, median (ms)',
  p95Milliseconds: 'Latency, p95 (ms)',
  p99Milliseconds: 'Latency, p99 (ms)',
  firstTokenMilliseconds: 'Time to first token (ms)',
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
