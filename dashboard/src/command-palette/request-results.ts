import { IconArrowsExchange, IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/api.js';
import type { ApiKeyOfRequest } from '../api/schema.js';
import { unwrap } from '../api/service-error.js';
import { failedRequestsSection } from '../common/failures/failed-requests.js';
import { latestRequestsSection } from '../features/api-keys/requests/latest-requests.js';
import { requestEventsQuery } from '../features/audit-log/audit-events.js';
import { pluralize } from '../lib/format-numbers.js';
import { exactTime } from '../lib/format-time.js';
import { readRequestId } from '../lib/request-id.js';
import { usePermission } from '../session/me.js';
import type { OnNavigate, Result } from './results.js';
import { stateOf } from './use-found.js';

/** The keys that have requests with a pasted ID. Each leads to the request on the page of its key. */
export function useRequestResults(searched: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const requestId = readRequestId(searched);
  const isEnabled = usePermission('get-usage') && requestId !== undefined;
  const result = useQuery({
    queryKey: ['usage', 'requests', requestId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api-keys/requests', { params: { query: { requestId: requestId ?? '' } }, signal })),
    enabled: isEnabled,
  });
  const found = isEnabled ? (result.data?.apiKeys ?? []) : [];
  const results = found.map((key): Result => ({
    key: `request of ${key.id}`,
    label: `Request of ${key.name}`,
    description: describeRequests(key),
    icon: IconArrowsExchange,
    needsChoice: false,
    run: () =>
      void navigate({
        to: '/dashboard/keys/$id',
        params: { id: key.id },
        search: { requestId },
        hash: key.requests.length > 0 ? latestRequestsSection : failedRequestsSection,
      }).then(onNavigate),
  }));
  return { results, ...stateOf(result, isEnabled) };
}

/** The latest request, and how many there are: failures may be listed twice. */
function describeRequests({ requests, failures }: ApiKeyOfRequest): string {
  const [latest] = [...requests, ...failures];
  if (latest === undefined) return '';
  const count = Math.max(requests.length, failures.length);
  const parts = [`${latest.route} · ${latest.status} · ${exactTime(latest.occurredAt)}`];
  if (count > 1) parts.unshift(pluralize(count, 'request'));
  return parts.join(', latest: ');
}

/** Leads to the events of the request with a pasted ID, such as one of the dashboard or of a service account. */
export function useRequestEventResults(searched: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const requestId = readRequestId(searched);
  const isEnabled = usePermission('get-audit-events') && requestId !== undefined;
  const result = useQuery({ ...requestEventsQuery(requestId ?? ''), enabled: isEnabled });
  const hasEvents = isEnabled && result.data !== undefined && result.data.auditEvents.length > 0;
  const results: Result[] = hasEvents
    ? [
        {
          key: 'events of a request',
          label: `Events of request ${requestId}`,
          icon: IconHistory,
          needsChoice: false,
          run: () => void navigate({ to: '/dashboard/audit-log', search: { requestId } }).then(onNavigate),
        },
      ]
    : [];
  return { results, ...stateOf(result, isEnabled) };
}
