import { useEffect, useRef } from 'react';
import { showExactTimes } from '../lib/show-exact-times.js';
import classes from './ExactTimes.module.css';

/**
 * The tooltip of all relative times of the page, with the exact ones: of the time that is hovered or tapped, or of the row
 * that has the focus of the keyboard. It's one for all, because a page can show hundreds of times.
 */
export function ExactTimes() {
  const tooltip = useRef<HTMLDivElement>(null);
  useEffect(() => (tooltip.current === null ? undefined : showExactTimes(tooltip.current)), []);
  return <div ref={tooltip} id="exact-times" popover="manual" role="tooltip" className={classes.tooltip} />;
}
