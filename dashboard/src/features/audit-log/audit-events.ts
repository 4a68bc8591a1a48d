import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { AuditEventList } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import type { AuditTargetKind } from './events/actions.js';
import { periodOf } from './filters/period.js';
import type { AuditLogSearch } from './search.js';

const pageSize = 50;
const historyLength = 20;

/** The events that the address asks for, newest first, page after page. While others load, those before stay. */
export function auditEventsQuery(search: AuditLogSearch) {
  return infiniteQueryOptions({
    queryKey: ['audit-events', 'pages', search],
    queryFn: ({ pageParam, signal }) => readPage({ ...filterOf(search), limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** The latest events of one thing. */
export function targetHistoryQuery(targetKind: AuditTargetKind, targetId: string) {
  return queryOptions({
    queryKey: ['audit-events', 'history', targetKind, targetId],
    queryFn: ({ signal }) => readPage({ targetKind, targetId, limit: historyLength }, signal),
  });
}

/** All events that the address asks for, as a CSV file. */
export function exportAuditEvents(search: AuditLogSearch): Promise<Blob> {
  const query = { ...filterOf(search), format: 'csv' as const };
  return unwrap(api.GET('/audit-events', { params: { query }, parseAs: 'blob' }));
}

interface PageQuery extends ReturnType<typeof filterOf> {
  limit: number;
  cursor?: string;
}

async function readPage(query: PageQuery, signal: AbortSignal): Promise<AuditEventList> {
  const page = await unwrap(api.GET('/audit-events', { params: { query }, signal }));
  if (typeof page === 'string') throw new Error('The service has sent a file in place of events.');
  return page;
}

function filterOf(search: AuditLogSearch) {
  return { ...search, ...periodOf(search) };
}
