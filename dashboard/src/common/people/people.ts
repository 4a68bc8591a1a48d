import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { toSearchText } from '../../lib/search-parameters.js';

/** A current or former member, by the id of the user. */
export function personQuery(id: string) {
  return queryOptions({
    queryKey: ['members', 'person', id],
    queryFn: ({ signal }) => unwrap(api.GET('/people/{id}', { params: { path: { id } }, signal })),
  });
}

/**
 * The sessions of a member in this organization. Not refetched with members: those of a member who was just removed aren't
 * found.
 */
export function personSessionsQuery(id: string) {
  return queryOptions({
    queryKey: ['sessions', 'person', id],
    queryFn: ({ signal }) => unwrap(api.GET('/people/{id}/sessions', { params: { path: { id } }, signal })),
  });
}

/** A page of former members. The previous page stays visible while another one loads. */
export function formerMembersQuery({
  search,
  ...page
}: {
  page: number;
  perPage: number;
  search?: string | undefined;
}) {
  const query = { ...page, search: toSearchText(search) };
  return queryOptions({
    queryKey: ['members', 'former', query],
    queryFn: ({ signal }) => unwrap(api.GET('/people/former', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A service account. */
export function serviceAccountQuery(id: string) {
  return queryOptions({
    queryKey: ['service-accounts', 'details', id],
    queryFn: ({ signal }) => unwrap(api.GET('/service-accounts/{id}', { params: { path: { id } }, signal })),
  });
}
