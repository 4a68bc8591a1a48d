import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { refetchMilliseconds } from '../../api/refetch-interval.js';
import { toSearchText } from '../../lib/search-parameters.js';
import type { MembersSearch } from './search.js';

/** A page of members. The previous page stays visible while another one loads. Refetched because others accept invitations and change roles. */
export function membersQuery({ page, perPage, search }: Omit<MembersSearch, 'view'>) {
  const query = { page, perPage, search: toSearchText(search) };
  return queryOptions({
    queryKey: ['members', query],
    queryFn: ({ signal }) => unwrap(api.GET('/members', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMilliseconds,
  });
}
