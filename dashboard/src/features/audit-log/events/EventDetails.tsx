import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '../../../api/schema.js';
import { exactTime } from '../../../lib/format-time.js';
import { describeChanges } from './describe-changes.js';
import { EventChanges } from './EventChanges.js';

/** What the event changed, its exact time and user agent, and links to related events. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { actor, target, occurredAt, userAgent } = event;
  const changes = describeChanges(event);
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
      </Group>
    </Box>
  );
}
