/** The element that had the focus, and its table row in case the row is removed. */
export interface FocusOrigin {
  element: HTMLElement;
  /** The live rows of the element's table. */
  rows: HTMLCollectionOf<HTMLTableRowElement> | undefined;
  rowIndex: number;
  /** Controls that the element is one of, if others take its place. Marked with `data-keeps-focus`. */
  group: HTMLElement | null;
}

/** Describes the focused element; for a menu item, the menu's button, because the menu is about to close. */
export function getFocusOrigin(focused = document.activeElement): FocusOrigin | undefined {
  const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const element = typeof menuButton === 'string' ? document.getElementById(menuButton) : focused;
  if (!(element instanceof HTMLElement)) return undefined;
  const row = element.closest<HTMLTableRowElement>('tbody tr');
  const group = element.closest<HTMLElement>('[data-keeps-focus]');
  return { element, group, rows: row?.closest('tbody')?.rows, rowIndex: row?.sectionRowIndex ?? 0 };
}

/** Focuses the element; if it was removed, its group, the row that replaced its row, or else the page heading. */
export function restoreFocus({ element, group, rows, rowIndex }: FocusOrigin): void {
  if (element.isConnected) return element.focus();
  if (group?.isConnected === true) return focusContent(group, { preventScroll: true });
  const row = rows?.[Math.min(rowIndex, rows.length - 1)];
  const isShown = row?.isConnected === true && row.closest('[aria-busy="true"]') === null;
  if (isShown) focusContent(row);
  else focusHeading();
}

/** Focuses the content of the page, which the Tab key then enters. */
export function focusMain(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** Focuses the page heading, such as before the focused element is removed. */
export function focusHeading(options?: FocusOptions): void {
  focusContent(document.querySelector('h1'), options);
}

/** Focuses an element such as a row or heading, without adding it to the tab order. */
export function focusContent(element: HTMLElement | null, options?: FocusOptions): void {
  element?.setAttribute('tabindex', '-1');
  element?.focus(options);
}

/** Whether the element was removed while it had the focus. */
export function isFocusLost({ element }: FocusOrigin): boolean {
  return !element.isConnected && document.activeElement === document.body;
}
