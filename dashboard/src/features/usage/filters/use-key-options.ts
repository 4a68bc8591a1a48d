import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
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
 */
export function useKeyOptions(search: UsageSearch, typed: string): { options: Option[]; isPending: boolean } {
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
    ...findKeys(useUsedKeys(search), text),
    ...found.map(({ id, name, hint }) => ({ id, name, hint, isDeleted: false })),
  ];
  return { options: toKeyOptions(keys), isPending: searched !== text || isLoading };
}

/**
 * The label of the selected key; empty without one.
 *
 * @param chosen the last option chosen, whose label is known before its name is loaded
 */
export function useKeyLabel(search: UsageSearch, chosen: Option | undefined): string {
  const { apiKeyId } = search;
  const used = toKeyOptions(useUsedKeys(search)).find(({ value }) => value === apiKeyId);
  const mayGetKeys = usePermission('get-api-keys');
  const { data } = useQuery({
    ...apiKeyQuery(apiKeyId ?? ''),
    enabled: apiKeyId !== undefined && used === undefined && mayGetKeys,
  });
  if (apiKeyId === undefined) return '';
  const chosenLabel = chosen?.value === apiKeyId ? chosen.label : undefined;
  // Deleted keys have no name.
  return used?.label ?? data?.name ?? chosenLabel ?? 'Key not used in this period';
}

function useUsedKeys(search: UsageSearch): UsedKey[] {
  const { data: groups = [] } = useQuery(usedQuery('apiKey', search));
  // For all keys and models. Without these filters, the table of causes shares the request.
  const { data: failed } = useQuery(failureCountsQuery(rangeOf(search)));
  return toUsedKeys(groups, failed?.failures ?? []);
}
