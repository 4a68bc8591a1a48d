import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { toBillionths } from '../../lib/money.js';
import { dayAt, startOfDayIn } from '../../lib/time-zone.js';
import { useMe, usePermission } from '../../session/me.js';

export const expectedRestKey = ['usage', 'expected-rest'] as const;

/** Whose costs are forecast: of the organization, or those that a filter of usage selects. */
export interface CostOwner {
  apiKeyId?: string[] | undefined;
  creatorId?: string[] | undefined;
  model?: string[] | undefined;
  tag?: string[] | undefined;
  /** When the key was created; milliseconds since 1970. */
  since?: number;
}

/**
 * What the rest of the current month will probably cost, in billionths; undefined while it's loading, without permission to
 * see usage, and if it's too early to say.
 *
 * @param enabled whether a forecast is shown
 */
export function useExpectedRest(owner: CostOwner, enabled: boolean): bigint | undefined {
  const { timeZone } = useMe().organization;
  const maySeeUsage = usePermission('get-usage');
  const isRead = enabled && maySeeUsage;
  const { data } = useQuery({ ...expectedRestQuery(owner, timeZone), enabled: isRead });
  return (isRead ? data : undefined) ?? undefined;
}

function expectedRestQuery({ since = 0, ...filter }: CostOwner, timeZone: string) {
  return queryOptions({
    queryKey: [...expectedRestKey, filter, since, timeZone],
    queryFn: async ({ signal }) => {
      // Lazy, because pages show usage first.
      const { daysToRead, expectRest } = await import('./expected-rest.js');
      const now = new Date();
      const today = dayAt(timeZone, now);
      const query = {
        from: startOfDayIn(timeZone, today, -daysToRead(today)).toISOString(),
        to: now.toISOString(),
        interval: 'day',
        timeZone,
        groupBy: 'none',
        ...filter,
      } as const;
      const { groups } = await unwrap(api.GET('/usage', { params: { query }, signal }));
      const costs = (groups[0]?.points ?? []).map(({ cost }) => toBillionths(cost ?? '0'));
      // Undefined isn't a result of queries.
      return expectRest({ costs, today, timeZone, now: now.getTime(), since }) ?? null;
    },
  });
}
