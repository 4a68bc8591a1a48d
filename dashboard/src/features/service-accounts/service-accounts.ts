import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';

/** A page of service accounts. The previous page stays visible while another one loads. */
export function serviceAccountsQuery(query: { page: number; perPage: number; search?: string }) {
  return queryOptions({
    queryKey: ['service-accounts', query],
    queryFn: ({ signal }) => unwrap(api.GET('/service-accounts', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}
