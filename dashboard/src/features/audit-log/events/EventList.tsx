import { Group, Skeleton, Text } from '@mantine/core';
import { groupEvents } from '@rules/event-groups.js';
import { type CalendarDay, dayOf, nameOfDay } from '../../../lib/calendar-day.js';
import { useTimeText } from '../../../hooks/use-now.js';
import classes from './EventList.module.css';
import { EventGroupRow } from './EventGroupRow.js';
import { EventRow } from './EventRow.js';
import type { NamedEvent } from './named-event.js';

const skeletonRows = 6;

/** Events grouped by day, and by what one request did, or skeletons while they load. */
export function EventList({ events }: { events: NamedEvent[] | undefined }) {
  if (events === undefined) return <EventSkeletons />;
  return groupByDay(events).map((group) => <EventsOfDay key={group.day} {...group} />);
}

function EventsOfDay({ day, events }: { day: CalendarDay; events: NamedEvent[] }) {
  const name = useTimeText((now) => nameOfDay(day, new Date(now)));
  return (
    <section className={classes.day} aria-label={name}>
      <Text component="h2" size="xs" fw={600} c="dimmed" m={0}>
        {name}
      </Text>
      <ul className={classes.events}>
        {groupEvents(events).map((item) =>
          'id' in item ? <EventRow key={item.id} event={item} /> : <EventGroupRow key={item[0].id} events={item} />,
        )}
      </ul>
    </section>
  );
}

/** Groups consecutive events that fall on the same day in the user's time zone. */
function groupByDay(events: NamedEvent[]): { day: CalendarDay; events: NamedEvent[] }[] {
  const groups: { day: CalendarDay; events: NamedEvent[] }[] = [];
  for (const event of events) {
    const day = dayOf(new Date(event.occurredAt));
    const latest = groups.at(-1);
    if (latest?.day === day) latest.events.push(event);
    else groups.push({ day, events: [event] });
  }
  return groups;
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
