import { ThemeIcon } from '@mantine/core';
import { PersonAvatar } from '../../../ui/PersonAvatar.js';
import classes from './EventAvatar.module.css';
import { EventIcon, isSuspicious } from './EventIcon.js';
import type { NamedEvent } from './named-event.js';

/** Who caused an event, with the kind of resource it affected; a warning sign for suspicious ones. */
export function EventAvatar({ event }: { event: NamedEvent }) {
  const { actor, person } = event;
  const name = person?.name ?? actor.name ?? actor.email;
  if (isSuspicious(event) || actor.id === null || name === null) {
    return (
      <ThemeIcon variant="light" color={isSuspicious(event) ? 'red' : 'gray'} size={34} radius="xl">
        <EventIcon event={event} />
      </ThemeIcon>
    );
  }
  return (
    <span className={classes.frame}>
      <PersonAvatar id={actor.id} name={name} isProgram={actor.kind === 'service-account'} size="md" />
      <span className={classes.kind}>
        <EventIcon event={event} size={12} />
      </span>
    </span>
  );
}
