import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { refetchMilliseconds } from '../../api/refetch-interval.js';

/** A page of pending invitations. The previous page stays visible while another one loads. Refetched because others accept them. */
export function invitationsQuery(query: { page: number; perPage: number }) {
  return queryOptions({
    queryKey: ['invitations', query],
    queryFn: ({ signal }) => unwrap(api.GET('/invitations', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMilliseconds,
  });
}
