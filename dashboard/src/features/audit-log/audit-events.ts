import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import type { AuditTargetKind } from './events/actions.js';
import { type NamedEvent, nameEvents } from './events/named-event.js';
import { type AuditLogSearch, toTimeRange } from './search.js';

const eventsPerPage = 50;
const maxHistoryEvents = 20;

/** Pages of matching events, newest first. The previous results stay visible while new ones load. */
export function auditEventsQuery(search: AuditLogSearch) {
  return infiniteQueryOptions({
    queryKey: ['audit-events', 'pages', search],
    queryFn: ({ pageParam, signal }) =>
      fetchPage({ ...toFilter(search), limit: eventsPerPage, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** The latest events for one target. */
export function targetHistoryQuery(targetKind: AuditTargetKind, targetId: string) {
  return queryOptions({
    queryKey: ['audit-events', 'history', targetKind, targetId],
    queryFn: ({ signal }) => fetchPage({ targetKind, targetId, limit: maxHistoryEvents }, signal),
  });
}

/** The latest events of one actor. */
export function actorHistoryQuery(actorId: string) {
  return queryOptions({
    queryKey: ['audit-events', 'history', 'actor', actorId],
    queryFn: ({ signal }) => fetchPage({ actorId, limit: maxHistoryEvents }, signal),
  });
}

/** The latest events by or about a person. */
export function personHistoryQuery(id: string, targetEmail: string) {
  return queryOptions({
    queryKey: ['audit-events', 'history', 'person', id, targetEmail],
    queryFn: async ({ signal }) => {
      const filters = [{ actorId: id }, { targetEmail }];
      const pages = await Promise.all(
        filters.map((filter) => fetchPage({ ...filter, limit: maxHistoryEvents }, signal)),
      );
      return { auditEvents: mergeEvents(pages.flatMap(({ auditEvents }) => auditEvents)).slice(0, maxHistoryEvents) };
    },
  });
}

/** Each event once, newest first. */
function mergeEvents(events: readonly NamedEvent[]): NamedEvent[] {
  const orderOf = ({ occurredAt, id }: NamedEvent) => `${occurredAt} ${id}`;
  const unique = new Map(events.map((event) => [orderOf(event), event]));
  return Array.from(unique.keys())
    .sort()
    .reverse()
    .flatMap((order) => unique.get(order) ?? []);
}

/** The latest events of a request, to know whether there are any. */
export function requestEventsQuery(requestId: string) {
  return queryOptions({
    queryKey: ['audit-events', 'request', requestId],
    queryFn: ({ signal }) => fetchPage({ requestId, limit: 1 }, signal),
  });
}

/** People and service accounts with events whose name or email contains the text, or with this id. */
export function auditActorsQuery(search: string) {
  return queryOptions({
    queryKey: ['audit-events', 'actors', search],
    queryFn: ({ signal }) => unwrap(api.GET('/audit-events/actors', { params: { query: { search } }, signal })),
  });
}

/** Keys with events whose current or earlier name contains the text, or with this id. */
export function auditKeysQuery(search: string) {
  return queryOptions({
    queryKey: ['audit-events', 'keys', search],
    queryFn: ({ signal }) => unwrap(api.GET('/audit-events/api-keys', { params: { query: { search } }, signal })),
  });
}

/** All matching events as a CSV file. */
export function exportAuditEvents(search: AuditLogSearch): Promise<Blob> {
  return unwrap(api.GET('/audit-events/export', { params: { query: toFilter(search) }, parseAs: 'blob' }));
}

interface AuditPage {
  auditEvents: NamedEvent[];
  nextCursor: string | null;
}

interface PageQuery extends ReturnType<typeof toFilter> {
  limit: number;
  cursor?: string;
}

async function fetchPage(query: PageQuery, signal: AbortSignal): Promise<AuditPage> {
  const { auditEvents, people, nextCursor } = await unwrap(api.GET('/audit-events', { params: { query }, signal }));
  return { auditEvents: nameEvents(auditEvents, people), nextCursor };
}

function toFilter(search: AuditLogSearch) {
  return { ...search, ...toTimeRange(search) };
}
