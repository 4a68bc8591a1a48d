import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Limit } from '../../api/schema.js';
import { useTimeText } from '../../hooks/use-now.js';
import { dayAt } from '../../lib/time-zone.js';
import { useMe, usePermission } from '../../session/me.js';
import { usageRangeOf } from './usage-range.js';

interface BudgetUsageLinkProps {
  limits: readonly Pick<Limit, 'per'>[];
  /** Undefined for all keys. */
  apiKeyId?: string;
}

/** Leads to the usage that counts for budgets. Hidden without budgets, and from users who lack the permission. */
export function BudgetUsageLink({ limits, apiKeyId }: BudgetUsageLinkProps) {
  const { timeZone } = useMe().organization;
  const today = useTimeText((now) => dayAt(timeZone, new Date(now)));
  const range = usageRangeOf(limits, today);
  if (!usePermission('get-usage') || range === undefined) return null;
  const filter = apiKeyId === undefined ? {} : { apiKeyId: [apiKeyId] };
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link to="/dashboard/usage" search={{ ...range, ...filter }} {...props} />}
    >
      View usage
    </Anchor>
  );
}
