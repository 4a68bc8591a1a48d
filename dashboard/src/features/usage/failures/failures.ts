import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { unwrap } from '../../../api/service-error.js';
import { toUsagePeriod } from '../filters/usage-period.js';
import type { UsageSearch } from '../search.js';

/** Failed requests by status and code, in the range and for the key and model in the URL. */
export function failureCountsQuery({ range, from, to, apiKeyId, model }: UsageSearch) {
  return queryOptions({
    queryKey: ['usage', 'failure-counts', { range, from, to, apiKeyId, model }],
    queryFn: ({ signal }) => {
      const period = toUsagePeriod({ range, from, to, groupBy: 'none' }, new Date());
      const query = { from: period.from.toISOString(), to: period.to.toISOString(), apiKeyId, model };
      return unwrap(api.GET('/usage/failures', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
