import { Anchor, Code, Group, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '../api/schema.js';
import { describeEvent } from '../features/audit-log/events/describe-event.js';
import { EventIcon, isSuspicious } from '../features/audit-log/events/EventIcon.js';
import { Time } from '../ui/Time.js';
import classes from './OverviewPage.module.css';

interface LatestChangesProps {
  changes: AuditEvent[];
  currency: string;
}

/** The latest audit events that changed something. */
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
            <Change key={event.id} event={event} currency={currency} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

/** The currency is part of the overview, so that it takes no other request. */
function Change({ event, currency }: { event: AuditEvent; currency: string }) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" color={isSuspicious(event) ? 'red' : 'gray'} size={28} radius="xl">
        <EventIcon event={event} />
      </ThemeIcon>
      <div>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {describeEvent(event, currency).map(({ text, kind }, index) => {
            if (kind === 'words') return text;
            if (kind === 'hint') return <Code key={index}>{text}</Code>;
            return (
              <Text key={index} span inherit fw={600}>
                {text}
              </Text>
            );
          })}
        </Text>
        <Text size="xs" c="dimmed" mt={2}>
          <Time at={event.occurredAt} />
        </Text>
      </div>
    </Group>
  );
}
