import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { unwrap } from '../../../api/service-error.js';
import { filterOf, rangeOf, type UsageFilter, type UsageRange } from '../search.js';
import { currentPeriod } from '../usage.js';

/** Failed requests by status and code, in the range and with the filters in the URL. */
export function failureCountsQuery(search: UsageRange & UsageFilter) {
  const [range, filter] = [rangeOf(search), filterOf(search)];
  return queryOptions({
    queryKey: ['usage', 'failure-counts', { ...range, ...filter }],
    queryFn: ({ signal }) => {
      const period = currentPeriod(range);
      const query = { from: period.from.toISOString(), to: period.to.toISOString(), ...filter };
      return unwrap(api.GET('/usage/failures', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
