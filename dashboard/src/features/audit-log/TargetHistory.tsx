import { Anchor, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditTarget } from '../../api/schema.js';
import { useCurrency } from '../../common/limits/use-currency.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { Time } from '../../ui/Time.js';
import { actorHistoryQuery, personHistoryQuery, targetHistoryQuery } from './audit-events.js';
import type { AuditLogSearch } from './search.js';
import { describeChanges } from './events/describe-changes.js';
import { describeOrigin } from './events/describe-origin.js';
import { EventChanges } from './events/EventChanges.js';
import { EventIcon } from './events/EventIcon.js';
import { EventOrigin } from './events/EventOrigin.js';
import { EventSentence } from './events/EventSentence.js';
import type { NamedEvent } from './events/named-event.js';

interface TargetHistoryProps {
  kind: AuditTarget['kind'];
  id: string;
}

/** The latest audit events for one target, such as an API key. */
export function TargetHistory({ kind, id }: TargetHistoryProps) {
  const links = [{ text: 'View in audit log', search: { targetKind: kind, targetId: id } }];
  return <History query={useQuery(targetHistoryQuery(kind, id))} links={links} />;
}

/** The latest audit events that a service account caused. */
export function ActorHistory({ id }: { id: string }) {
  const links = [{ text: 'View in audit log', search: { actorId: id } }];
  return <History query={useQuery(actorHistoryQuery(id))} links={links} ownId={id} />;
}

/** The latest audit events that a person caused, and those about them, such as their invitation and removal. */
export function PersonHistory({ id, name, email }: { id: string; name: string; email: string }) {
  const links = [
    { text: `Events by ${name}`, search: { actorEmail: email } },
    { text: `Events about ${name}`, search: { targetEmail: email } },
  ];
  return <History query={useQuery(personHistoryQuery(id, email))} links={links} ownId={id} />;
}

interface HistoryProps {
  query: UseQueryResult<{ auditEvents: NamedEvent[] }>;
  /** To the same events in the audit log. */
  links: readonly { text: string; search: AuditLogSearch }[];
  /** Id of the actor whom the page already names. */
  ownId?: string;
}

function History({ query: { data, error, refetch }, links, ownId }: HistoryProps) {
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
              <Time at={event.occurredAt} /> ·{' '}
              {event.actor.id === ownId ? describeOrigin(event) : <EventOrigin event={event} />}
            </Text>
            {event.before !== null && <EventChanges changes={describeChanges(event, currency)} />}
          </Timeline.Item>
        ))}
      </Timeline>
      <Group gap="lg" mt="md">
        {links.map(({ text, search }) => (
          <Anchor
            key={text}
            size="sm"
            renderRoot={(props) => <Link to="/dashboard/audit-log" search={search} {...props} />}
          >
            {text}
          </Anchor>
        ))}
      </Group>
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
