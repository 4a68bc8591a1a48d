import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { unwrap } from '../../../api/service-error.js';
import { toUsagePeriod } from '../filters/usage-period.js';
import { rangeOf, type UsageRange, type UsageSearch } from '../search.js';

/** Failed requests by status and code, in the range and for the key, model and tag in the URL. */
export function failureCountsQuery({
  apiKeyId,
  model,
  tag,
  ...search
}: UsageRange & Pick<UsageSearch, 'apiKeyId' | 'model' | 'tag'>) {
  const range = rangeOf(search);
  return queryOptions({
    queryKey: ['usage', 'failure-counts', { ...range, apiKeyId, model, tag }],
    queryFn: ({ signal }) => {
      const period = toUsagePeriod(range, new Date());
      const query = { from: period.from.toISOString(), to: period.to.toISOString(), apiKeyId, model, tag };
      return unwrap(api.GET('/usage/failures', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
