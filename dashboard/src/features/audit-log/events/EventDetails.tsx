import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '../../../api/schema.js';
import { exactTime } from '../../../lib/format-time.js';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { type Change, describeChanges } from './describe-changes.js';
import { EventChanges } from './EventChanges.js';
import { leakDetails } from './leak.js';
import type { NamedEvent } from './named-event.js';
import { readThreshold, thresholdDetails } from './threshold.js';

/** What the event changed, its exact time and user agent, and links to related events. */
export function EventDetails({ event }: { event: NamedEvent }) {
  const { actor, person, target, targetPerson, occurredAt, userAgent } = event;
  const people = [person, targetPerson].filter((one, index, all) => one !== undefined && all.indexOf(one) === index);
  const currency = useCurrency();
  const changes = describeDetails(event, currency);
  return (
    <Box pl={44} pt="xs">
      {changes.length > 0 && <EventChanges changes={changes} />}
      <Text size="xs" c="dimmed" mt={4}>
        {exactTime(occurredAt)}
        {userAgent !== null && ` · ${userAgent}`}
      </Text>
      <Group gap="md" mt={6}>
        {actor.email !== null && (
          <Anchor
            size="xs"
            renderRoot={(props) => (
              <Link to="/dashboard/audit-log" search={{ actorEmail: actor.email ?? undefined }} {...props} />
            )}
          >
            Events by {actor.email}
          </Anchor>
        )}
        {actor.kind === 'service-account' && (
          <Anchor
            size="xs"
            renderRoot={(props) => (
              <Link to="/dashboard/audit-log" search={{ actorId: actor.id ?? undefined }} {...props} />
            )}
          >
            Events by {actor.name}
          </Anchor>
        )}
        {target.id !== null && target.name !== null && (
          <Anchor
            size="xs"
            renderRoot={(props) => (
              <Link
                to="/dashboard/audit-log"
                search={{ targetKind: target.kind, targetId: target.id ?? undefined }}
                {...props}
              />
            )}
          >
            Events about {target.name}
          </Anchor>
        )}
        {people.map(
          (one) =>
            one !== undefined && (
              <Anchor
                key={one.id}
                size="xs"
                renderRoot={(props) => <Link to="/dashboard/members/$id" params={{ id: one.id }} {...props} />}
              >
                Page of {one.name}
              </Anchor>
            ),
        )}
      </Group>
    </Box>
  );
}

/** The values of a threshold or a leak aren't what changed. */
function describeDetails(event: AuditEvent, currency: string | undefined): Change[] {
  if (event.action === 'api-key.leak') return leakDetails(event);
  const threshold = event.action === 'limit.threshold' ? readThreshold(event.after) : undefined;
  return threshold === undefined ? describeChanges(event, currency) : thresholdDetails(threshold, currency);
}
