import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { hintOfSecret } from '../../../lib/pasted-secret.js';
import { usePermission } from '../../../session/me.js';
import { apiKeyQuery, apiKeysQuery } from '../../../common/api-keys/api-keys.js';
import { apiKeysSearchDefaults, readSearchText } from '../../../common/api-keys/search.js';
import { failureCountsQuery } from '../failures/failures.js';
import { rangeOf, type UsageSearch } from '../search.js';
import { usedQuery } from '../usage.js';
import { findKeys, type Option, toKeyOptions, toUsedKeys, type UsedKey } from './filter-options.js';

const debounceMilliseconds = 200;

/**
 * The keys used in the range that match a text, then others that the service finds: a report has at most 100 keys, and
 * keys without usage may have failures.
 *
 * @param isNeeded whether to request them
 */
export function useKeyOptions(
  search: UsageSearch,
  typed: string,
  isNeeded: boolean,
): { options: Option[]; isPending: boolean } {
  // The rest of a pasted key must not leave the page.
  const text = hintOfSecret(typed) ?? typed;
  const [searched] = useDebouncedValue(text, debounceMilliseconds);
  const mayGetKeys = usePermission('get-api-keys');
  const { data, isLoading } = useQuery({
    ...apiKeysQuery({ ...apiKeysSearchDefaults, ...readSearchText(searched) }),
    enabled: mayGetKeys && searched !== '',
    placeholderData: undefined,
    refetchInterval: false,
  });
  const found = searched === '' || searched !== text ? [] : (data?.apiKeys ?? []);
  const keys = [
    ...findKeys(useUsedKeys(search, isNeeded), text),
    ...found.map(({ id, name, hint }) => ({ id, name, hint, isDeleted: false })),
  ];
  return { options: toKeyOptions(keys), isPending: searched !== text || isLoading };
}

/**
 * The selected keys as options.
 *
 * @param chosen options that were chosen, whose labels are known before their names are loaded
 */
export function useSelectedKeys(search: UsageSearch, chosen: readonly Option[]): Option[] {
  const { apiKeyId: ids = [] } = search;
  const used = toKeyOptions(useUsedKeys(search, ids.length > 0));
  const mayGetKeys = usePermission('get-api-keys');
  const labelOf = (id: string) => [...used, ...chosen].find(({ value }) => value === id)?.label;
  const details = useQueries({
    queries: ids.map((id) => ({
      ...apiKeyQuery(id),
      enabled: mayGetKeys && labelOf(id) === undefined,
      refetchInterval: false as const,
    })),
  });
  // Deleted keys have no name.
  return ids.map((id, index) => ({
    value: id,
    label: labelOf(id) ?? details[index]?.data?.name ?? 'Key not used in this period',
  }));
}

function useUsedKeys(search: UsageSearch, isNeeded: boolean): UsedKey[] {
  const { data: groups = [] } = useQuery({ ...usedQuery('apiKey', search), enabled: isNeeded });
  // For all keys and models. Without these filters, the table of causes shares the request.
  const { data: failed } = useQuery({ ...failureCountsQuery(rangeOf(search)), enabled: isNeeded });
  return toUsedKeys(groups, failed?.failures ?? []);
}
