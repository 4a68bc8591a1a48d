import type { AuditEvent, AuditPerson } from '../../../api/schema.js';

/** An event with the names of the people in it, as far as the user may see them. */
export interface NamedEvent extends AuditEvent {
  /** The person who caused it. */
  person?: AuditPerson;
  /** The person it affected. */
  targetPerson?: AuditPerson;
}

/** Adds the names of the people in the events, whose emails they have. */
export function nameEvents<Event extends AuditEvent>(
  events: readonly Event[],
  people: readonly AuditPerson[],
): (Event & NamedEvent)[] {
  const byEmail = new Map(people.map((person) => [person.email, person]));
  const find = (email: string | null) => (email === null ? undefined : byEmail.get(email));
  return events.map((event) => {
    const person = find(event.actor.email);
    const targetPerson = ['member', 'user'].includes(event.target.kind) ? find(event.target.name) : undefined;
    return { ...event, ...(person && { person }), ...(targetPerson && { targetPerson }) };
  });
}
