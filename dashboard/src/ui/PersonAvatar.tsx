import type { CSSProperties } from 'react';
import { hueOf, initialsOf } from '../lib/initials.js';
import classes from './PersonAvatar.module.css';

interface PersonAvatarProps {
  /** Decides about the color, so that it stays the same when the name changes. */
  id: string;
  /** A name or an email. */
  name: string;
  /** Service accounts are square. */
  isProgram?: boolean;
  size?: 'sm' | 'md' | 'lg';
}

/** The initials of a person or a service account. Decorative: their name must be next to it. */
export function PersonAvatar({ id, name, isProgram = false, size = 'sm' }: PersonAvatarProps) {
  const style: CSSProperties & Record<'--avatar-hue', number> = { '--avatar-hue': hueOf(id) };
  return (
    <span className={classes.avatar} data-program={isProgram || undefined} data-size={size} style={style} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}
