import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { Webhook } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';

/** A type of event that webhooks can choose. */
export type ChosenType = NonNullable<Webhook['eventTypes']>[number];

interface Page {
  page: number;
  perPage: number;
}

/** A page of webhooks. The previous page stays visible while another one loads. */
export function webhooksQuery(query: Page) {
  return queryOptions({
    queryKey: ['webhooks', query],
    queryFn: ({ signal }) => unwrap(api.GET('/webhooks', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A webhook. */
export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => unwrap(api.GET('/webhooks/{id}', { params: { path: { id } }, signal })),
  });
}

/** A page of the deliveries of a webhook. */
export function deliveriesQuery(id: string, query: Page) {
  return queryOptions({
    queryKey: ['webhooks', id, 'deliveries', query],
    queryFn: ({ signal }) => unwrap(api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** All types of events. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: ({ signal }) => unwrap(api.GET('/event-types', { signal })),
  staleTime: Infinity,
});
