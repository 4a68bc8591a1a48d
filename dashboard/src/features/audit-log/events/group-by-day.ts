import type { AuditEvent } from '../../../api/schema.js';
import { type CalendarDay, dayOf } from '../../../lib/calendar-day.js';

/** Events that follow one another on the same day of the reader's calendar. */
export function groupByDay(events: AuditEvent[]): { day: CalendarDay; events: AuditEvent[] }[] {
  const groups: { day: CalendarDay; events: AuditEvent[] }[] = [];
  for (const event of events) {
    const day = dayOf(new Date(event.occurredAt));
    const latest = groups.at(-1);
    if (latest?.day === day) latest.events.push(event);
    else groups.push({ day, events: [event] });
  }
  return groups;
}
