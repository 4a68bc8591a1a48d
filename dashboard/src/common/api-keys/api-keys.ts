import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ApiKeyList, ListedApiKey as ApiKey } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { queryClient } from '../../query-client.js';
import { meQuery } from '../../session/me.js';
import { limitsInterval, refetchMilliseconds } from '../../api/refetch-interval.js';
import { toSearchText } from '../../lib/search-parameters.js';
import type { ApiKeysSearch } from './search.js';

/** An API key from the list or the details endpoint. */
export type ListedApiKey = Omit<
  ApiKey,
  'enabled' | 'createdBy' | 'createdByServiceAccount' | 'recentUsage' | 'fullestLimit' | 'fullestCostLimit'
> & { enabled?: boolean };

const listsKey = ['api-keys', 'list'] as const;

type Include = 'creator' | 'use' | 'limits' | 'knownToFormerMembers';

/** What the page of keys shows of each key, and what its dialogs for several keys need. */
export const pageIncludes: Include[] = ['creator', 'use', 'limits', 'knownToFormerMembers'];

/** One page of the organization's keys. The previous page stays visible while another loads. Refetched for the last uses. */
export function apiKeysQuery(search: ApiKeysSearch & { exactName?: string; include?: Include[] }) {
  const query = { ...search, name: toSearchText(search.name) };
  return queryOptions({
    queryKey: [...listsKey, query],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMilliseconds,
  });
}

/** How many keys of one person a list shows. */
const maxKeysOfPerson = 100;

/** The newest keys that a user or service account created, and how many there are. */
export function keysOfCreatorQuery(creatorId: string, perPage = maxKeysOfPerson, include: Include[] = []) {
  const query = { creatorId, perPage, include };
  return queryOptions({
    queryKey: [...listsKey, query],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys', { params: { query }, signal })),
  });
}

/** Keys that others created, whose secrets a user or service account knows from rotating them. */
export function rotatedKeysQuery(rotatedById: string, include: Include[] = []) {
  const query = { rotatedById, perPage: maxKeysOfPerson, include };
  return queryOptions({
    queryKey: [...listsKey, query],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys', { params: { query }, signal })),
  });
}

/** Keys that one request can change. */
export const maxBulkKeys = 1000;

/** All keys that match a search, with their limits, up to `maxBulkKeys`, in its order. */
export async function fetchMatchingKeys(search: ApiKeysSearch): Promise<ListedApiKey[]> {
  const perPage = 100;
  const read = (page: number) => {
    const include: Include[] = ['limits'];
    const query = { ...search, name: toSearchText(search.name), include, perPage, page };
    return unwrap(api.GET('/api-keys', { params: { query } }));
  };
  const first = await read(1);
  const pageCount = Math.ceil(Math.min(first.total, maxBulkKeys) / perPage);
  const pages = [first];
  for (let page = 2; page <= pageCount; page++) pages.push(await read(page));
  return pages.flatMap(({ apiKeys }) => apiKeys);
}

/** Requests a page of keys before its table is rendered, which takes slow machines as long as the request. */
export function preloadApiKeys(search: ApiKeysSearch): void {
  const me = queryClient.getQueryData(meQuery.queryKey);
  if (me?.permissions.includes('get-api-keys') === true)
    void queryClient.prefetchQuery(apiKeysQuery({ ...search, include: pageIncludes }));
}

/** The details of a key. */
export function apiKeyQuery(id: string) {
  return queryOptions({
    queryKey: ['api-keys', 'details', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => limitsInterval(data),
  });
}

/** The tags of the organization's keys, those of the most keys first. */
export const tagsQuery = queryOptions({
  queryKey: ['api-keys', 'tags'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api-keys/tags', { signal }))).tags.map(({ tag }) => tag),
});

/** Enables or disables a key. */
export async function setEnabled(id: string, enabled: boolean): Promise<void> {
  await unwrap(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body: { enabled } }));
  await refresh('api-keys');
}

/** The subject of messages that say whether a key is enabled. */
export const enabledSubject = (id: string) => `enabled ${id}`;

/** Removes a deleted key from cached lists immediately, then refetches them and the usage. */
export async function forgetApiKey(id: string): Promise<void> {
  // Pending responses may still contain the key.
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
