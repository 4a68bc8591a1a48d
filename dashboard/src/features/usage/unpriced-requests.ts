import type { UsageReport, UsageTotals } from '../../api/schema.js';
import { pluralize } from '../../lib/format-numbers.js';

const maxNames = 3;

/** Says which requests a cost leaves out; undefined if it includes all. */
export function describeUnpriced(
  { unpricedRequests }: Pick<UsageTotals, 'unpricedRequests'>,
  byModel: Pick<UsageReport, 'groups'>,
): string | undefined {
  if (unpricedRequests === 0) return undefined;
  const unpriced = byModel.groups.filter(({ totals }) => totals.unpricedRequests > 0).slice(0, maxNames);
  const namedRequests = unpriced.reduce((sum, { totals }) => sum + totals.unpricedRequests, 0);
  const names = unpriced.flatMap(({ model }) => model ?? []);
  if (namedRequests < unpricedRequests) names.push('others');
  return `Excludes ${pluralize(unpricedRequests, 'request')} without a price: ${names.join(', ')}`;
}
