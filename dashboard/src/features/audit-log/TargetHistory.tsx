import { Anchor, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditTarget } from '../../api/schema.js';
import { useCurrency } from '../../common/limits/use-currency.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { Time } from '../../ui/Time.js';
import { actorHistoryQuery, targetHistoryQuery } from './audit-events.js';
import type { AuditLogSearch } from './search.js';
import { describeChanges } from './events/describe-changes.js';
import { describeOrigin } from './events/describe-origin.js';
import { EventChanges } from './events/EventChanges.js';
import { EventIcon } from './events/EventIcon.js';
import { EventOrigin } from './events/EventOrigin.js';
import { EventSentence } from './events/EventSentence.js';

interface TargetHistoryProps {
  kind: AuditTarget['kind'];
  id: string;
}

/** The latest audit events for one target, such as an API key. */
export function TargetHistory({ kind, id }: TargetHistoryProps) {
  return <History query={targetHistoryQuery(kind, id)} search={{ targetKind: kind, targetId: id }} />;
}

/** The latest audit events that a user or service account caused. */
export function ActorHistory({ id, email }: { id: string; email?: string }) {
  const search = email === undefined ? { actorId: id } : { actorEmail: email };
  return <History query={actorHistoryQuery(id)} search={search} hasOneActor />;
}

interface HistoryProps {
  query: ReturnType<typeof targetHistoryQuery>;
  /** Of the same events in the audit log. */
  search: AuditLogSearch;
  /** Whether the page already says who caused them. */
  hasOneActor?: boolean;
}

function History({ query, search, hasOneActor = false }: HistoryProps) {
  const { data, error, refetch } = useQuery(query);
  const currency = useCurrency();
  if (error !== null && data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <HistorySkeleton />;
  if (data.auditEvents.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No events recorded.
      </Text>
    );
  }
  return (
    <>
      <Timeline bulletSize={28} lineWidth={2}>
        {data.auditEvents.map((event) => (
          <Timeline.Item key={event.id} bullet={<EventIcon event={event} />}>
            <EventSentence event={event} />
            <Text size="xs" c="dimmed" mt={2}>
              <Time at={event.occurredAt} /> · {hasOneActor ? describeOrigin(event) : <EventOrigin event={event} />}
            </Text>
            {event.before !== null && <EventChanges changes={describeChanges(event, currency)} />}
          </Timeline.Item>
        ))}
      </Timeline>
      <Anchor
        size="sm"
        mt="md"
        display="inline-block"
        renderRoot={(props) => <Link to="/dashboard/audit-log" search={search} {...props} />}
      >
        View in audit log
      </Anchor>
    </>
  );
}

function HistorySkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      {[0, 1, 2].map((row) => (
        <Group key={row} gap="sm" wrap="nowrap">
          <Skeleton circle height={28} />
          <Skeleton height={14} />
        </Group>
      ))}
    </Stack>
  );
}
