import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ApiKey, ApiKeyList } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { queryClient } from '../../query-client.js';
import type { ApiKeysSearch } from './list/search.js';

/** A key as the list or its own page shows it. */
export type ListedApiKey = Omit<ApiKey, 'lastUsedAt'> & { lastUsedAt?: string | null };

const listsKey = ['api-keys', 'list'] as const;

/** A page of the organization's keys. While another page loads, the one before stays. */
export function apiKeysQuery(search: ApiKeysSearch) {
  return queryOptions({
    queryKey: [...listsKey, search],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys', { params: { query: search }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One key, with who created it. */
export function apiKeyQuery(id: string) {
  return queryOptions({
    queryKey: ['api-keys', 'details', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys/{id}', { params: { path: { id } }, signal })),
  });
}

/** Takes a deleted key out of the lists at once, and then reads again what its deletion shows in. */
export async function forgetApiKey(id: string): Promise<void> {
  // Answers that are under way may still hold the key.
  await queryClient.cancelQueries({ queryKey: listsKey });
  queryClient.setQueriesData<ApiKeyList>({ queryKey: listsKey }, (list) => list && without(list, id));
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: apiKeyQuery(id).queryKey, refetchType: 'none' }),
    queryClient.invalidateQueries({ queryKey: listsKey }),
    refresh('usage'),
  ]);
}

function without(list: ApiKeyList, id: string): ApiKeyList {
  const apiKeys = list.apiKeys.filter((apiKey) => apiKey.id !== id);
  return { ...list, apiKeys, total: list.total - (list.apiKeys.length - apiKeys.length) };
}
