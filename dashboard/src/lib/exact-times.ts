const focusable = 'a[href], button, input, select, [tabindex="0"]';

/** The row of a table or a list around an element, whose exact times are shown together. */
export const rowAround = (element: Element) => element.closest('tr, li');

/**
 * The `ref` of a time. The Tab key stops at those that aren't in a row with anything else to stop at, for their exact time;
 * see show-exact-times.ts.
 */
export function makeReachable(time: HTMLElement | null): void {
  if (time === null) return;
  if ((rowAround(time)?.querySelector(focusable) ?? null) === null) time.tabIndex = 0;
}
