import { useNavigate, useSearch } from '@tanstack/react-router';
import { usePermission } from '../../session/me.js';
import type { UsageFilter } from './search.js';
import { UsageSection } from './UsageSection.js';

interface PageUsageProps {
  /** The route of the page. */
  page: '/dashboard/keys/$id' | '/dashboard/members/$id' | '/dashboard/members/service-accounts/$id';
  /** Whose usage it is. */
  filter: UsageFilter;
  /** Whether the page says above how months are forecast. */
  isForecastExplained?: boolean;
}

/**
 * The usage of what a page is about, hidden from users who lack the permission. Its range and measure are in the URL, for
 * links and the back button.
 */
export function PageUsage({ page, ...props }: PageUsageProps) {
  const search = useSearch({ from: page });
  const navigate = useNavigate({ from: page });
  if (!usePermission('get-usage')) return null;
  return (
    <UsageSection
      {...props}
      search={search}
      onChange={(change) => void navigate({ search: (current) => ({ ...current, ...change }), resetScroll: false })}
    />
  );
}
