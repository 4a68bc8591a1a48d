import { useDebouncedValue } from '@mantine/hooks';
import { nameLength } from '@rules/text-rules.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AuditKeyList, FoundAuditKey } from '../../../api/schema.js';
import { foldText } from '../../../lib/fold-text.js';
import { queryClient } from '../../../query-client.js';
import { auditKeysQuery } from '../audit-events.js';

const debounceMilliseconds = 200;

/** Whether the text looks like a secret. Only its first characters may leave the page. */
export const looksLikeSecret = (text: string) => /kcs?_/.test(text);

/** Finds keys with events by a current or earlier name, or by id, including deleted ones. */
export function useKeys(text: string, isNeeded: boolean): { keys: FoundAuditKey[]; isSearching: boolean } {
  const typed = text.trim();
  const [search] = useDebouncedValue(typed, debounceMilliseconds);
  const isSearchable = search !== '' && search.length <= nameLength.max && !looksLikeSecret(search);
  const isEnabled = isNeeded && isSearchable;
  const { data, isFetching } = useQuery({
    ...auditKeysQuery(search),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  // The response may still be for the previous text.
  const keys = (isEnabled && typed !== '' ? (data?.apiKeys ?? []) : []).filter(({ id, name, formerName = '' }) =>
    [id, name, formerName].some((part) => foldText(part).includes(foldText(typed))),
  );
  return { keys, isSearching: typed !== search || isFetching };
}

/** Looks up the name of a key in the audit log: undefined while loading, and the id if the log doesn't have the key. */
export function useKeyName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    ...auditKeysQuery(id ?? ''),
    enabled: id !== undefined,
    placeholderData: () => cachedKeys().find((found) => found.apiKeys.some((key) => key.id === id)),
  });
  if (data === undefined) return undefined;
  return data.apiKeys.find((key) => key.id === id)?.name ?? id;
}

/** The results of earlier searches, such as the one that found the selected key. */
function cachedKeys() {
  const { queryKey } = auditKeysQuery('');
  const entries = queryClient.getQueriesData<AuditKeyList>({ queryKey: queryKey.slice(0, -1) });
  return entries.flatMap(([, found]) => found ?? []);
}
