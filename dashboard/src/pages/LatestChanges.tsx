import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { LatestChange } from '../api/schema.js';
import { describeEvent } from '../features/audit-log/events/describe-event.js';
import { describeMany } from '../features/audit-log/events/describe-group.js';
import { EventAvatar } from '../features/audit-log/events/EventAvatar.js';
import { Sentence } from '../features/audit-log/events/EventSentence.js';
import type { NamedEvent } from '../features/audit-log/events/named-event.js';
import { Time } from '../ui/Time.js';
import classes from './OverviewPage.module.css';

/** One event, or the latest of several. */
type Change = LatestChange & NamedEvent;

interface LatestChangesProps {
  changes: Change[];
  currency: string;
}

/** The latest audit events that changed something. What one person did at once is one line, as in the audit log. */
export function LatestChanges({ changes, currency }: LatestChangesProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="overview-changes">
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" id="overview-changes">
          Latest changes
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/audit-log" {...props} />}>
          View audit log
        </Anchor>
      </Group>
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          No changes yet. Changes to keys, members and settings appear here.
        </Text>
      ) : (
        <ul className={classes.changes}>
          {changes.map((event) => (
            <ChangeItem key={event.id} change={event} currency={currency} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

/** The currency is part of the overview, so that it takes no other request. */
function ChangeItem({ change, currency }: { change: Change; currency: string }) {
  const { count, occurredAt } = change;
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <EventAvatar event={change} />
      <div style={{ overflowWrap: 'anywhere' }}>
        <Sentence phrases={count === undefined ? describeEvent(change, currency) : describeMany(change, count)} />
        <Text size="xs" c="dimmed" mt={2}>
          <Time at={occurredAt} />
        </Text>
      </div>
    </Group>
  );
}
