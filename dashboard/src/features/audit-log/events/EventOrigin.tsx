import { describeOrigin } from './describe-origin.js';
import type { NamedEvent } from './named-event.js';

/** Where an event was caused from, and the email of a person whose name is shown. */
export function EventOrigin({ event }: { event: NamedEvent }) {
  return (
    <>
      {event.person !== undefined && `${event.person.email} · `}
      {describeOrigin(event)}
    </>
  );
}
