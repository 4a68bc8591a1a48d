import { Group, Skeleton, Text } from '@mantine/core';
import type { AuditEvent } from '../../api/schema.js';
import { nameOfDay } from '../../components/calendar-day.js';
import { useNow } from '../../components/use-now.js';
import classes from './EventList.module.css';
import { EventRow } from './EventRow.js';
import { groupByDay } from './group-by-day.js';

const skeletonRows = 6;

/** Events day by day; skeletons while there are none yet. */
export function EventList({ events }: { events: AuditEvent[] | undefined }) {
  const now = useNow();
  if (events === undefined) return <EventSkeletons />;
  return groupByDay(events).map(({ day, events: eventsOfDay }) => (
    <section key={day} className={classes.day} aria-label={nameOfDay(day, new Date(now))}>
      <Text component="h2" size="xs" fw={600} c="dimmed" m={0}>
        {nameOfDay(day, new Date(now))}
      </Text>
      <ul className={classes.events}>
        {eventsOfDay.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
    </section>
  ));
}

function EventSkeletons() {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: skeletonRows }, (_, index) => (
        <Group key={index} gap="sm" py={12} wrap="nowrap">
          <Skeleton circle height={32} />
          <div className={classes.skeleton}>
            <Skeleton height={14} width="60%" mb={8} />
            <Skeleton height={10} width="35%" />
          </div>
        </Group>
      ))}
    </div>
  );
}
