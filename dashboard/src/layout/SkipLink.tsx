import { Anchor } from '@mantine/core';
import classes from './SkipLink.module.css';

export const mainId = 'main';

/** Moves the focus past the navigation. Visible while it has the focus. */
export function SkipLink() {
  return (
    <Anchor href={`#${mainId}`} className={classes.link}>
      Skip to content
    </Anchor>
  );
}
