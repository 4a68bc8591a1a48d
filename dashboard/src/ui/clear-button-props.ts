/** The smallest target for touch (WCAG 2.2, 2.5.8). */
const minTarget = '24px';

/** The props of a button that clears a filter. Mantine leaves it out of the tab order, where it has no substitute. */
export function clearButtonProps(noun: string) {
  return { 'aria-label': `Clear ${noun}`, 'aria-hidden': false, tabIndex: 0, size: minTarget };
}
