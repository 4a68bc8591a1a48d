import { useQuery } from '@tanstack/react-query';
import { apiKeyQuery } from '../../common/api-keys/api-keys.js';
import { monthlyBudget } from '../../common/limits/month-cost.js';
import { currentOrganizationQuery } from '../../common/organizations/organizations.js';
import { useTimeText } from '../../hooks/use-now.js';
import { dayAt } from '../../lib/time-zone.js';
import { useMe, usePermission } from '../../session/me.js';
import type { MonthBudget } from './describe-cost.js';
import { isFiltered, type UsageFilter, type UsageRange } from './search.js';

/**
 * The budget for what the page shows: that of the organization, or of the only selected key. Budgets are for calendar
 * months in the organization's time zone, and only the one of the current month is known.
 */
export function useMonthBudget(search: UsageRange & UsageFilter): MonthBudget | undefined {
  const { timeZone } = useMe().organization;
  const thisMonth = useTimeText((now) => dayAt(timeZone, new Date(now)).slice(0, 7));
  const isThisMonth = search.month === thisMonth;
  const key = isThisMonth ? onlyKey(search) : undefined;
  const isWhole = isThisMonth && !isFiltered(search);
  const mayGetKeys = usePermission('get-api-keys');
  const organization = useQuery({ ...currentOrganizationQuery, enabled: isWhole, refetchInterval: false });
  const details = useQuery({
    ...apiKeyQuery(key ?? ''),
    enabled: key !== undefined && mayGetKeys,
    refetchInterval: false,
  });
  // Queries that aren't enabled can still have data.
  const limits = isWhole ? organization.data?.limits : key === undefined ? undefined : details.data?.limits;
  const limit = limits && monthlyBudget(limits);
  const since = isWhole || details.data === undefined ? 0 : Date.parse(details.data.createdAt);
  return limit && { limit, since };
}

/** The selected key, if nothing else filters. */
function onlyKey({ apiKeyId = [], ...search }: UsageFilter): string | undefined {
  return apiKeyId.length === 1 && !isFiltered({ ...search, apiKeyId: undefined }) ? apiKeyId[0] : undefined;
}
