import type { AuditEvent } from '../../api/schema.js';
import { type Day, dayOf } from './days.js';

/** Events that follow one another on the same day of the reader's calendar. */
export function groupByDay(events: AuditEvent[]): { day: Day; events: AuditEvent[] }[] {
  const groups: { day: Day; events: AuditEvent[] }[] = [];
  for (const event of events) {
    const day = dayOf(new Date(event.occurredAt));
    const latest = groups.at(-1);
    if (latest?.day === day) latest.events.push(event);
    else groups.push({ day, events: [event] });
  }
  return groups;
}
