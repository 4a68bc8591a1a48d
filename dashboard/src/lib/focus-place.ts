/** Where something is on the page, so that the focus can go back there when it is gone. */
export interface FocusPlace {
  element: HTMLElement;
  /** The rows of the table that it is in, as they are at any time, and which of them is its own. */
  rows: HTMLCollectionOf<HTMLTableRowElement> | undefined;
  rowIndex: number;
}

/** Notes the place of what has the focus; of an item of a menu, which is about to close, that of the menu's button. */
export function noteFocusPlace(): FocusPlace | undefined {
  const focused = document.activeElement;
  const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const element = typeof menuButton === 'string' ? document.getElementById(menuButton) : focused;
  if (!(element instanceof HTMLElement)) return undefined;
  const row = element.closest<HTMLTableRowElement>('tbody tr');
  return { element, rows: row?.closest('tbody')?.rows, rowIndex: row?.sectionRowIndex ?? 0 };
}

/** Focuses what is at the place, else the row that has come there, else the heading of the page. */
export function focusPlace({ element, rows, rowIndex }: FocusPlace): void {
  if (element.isConnected) return element.focus();
  const row = rows?.[Math.min(rowIndex, rows.length - 1)];
  const isShown = row?.isConnected === true && row.closest('[aria-busy="true"]') === null;
  const target = isShown ? row : document.querySelector('h1');
  // Neither can be focused by itself. It is not put into the order of the Tab key, which goes on from there.
  target?.setAttribute('tabindex', '-1');
  target?.focus();
}

/** Whether the focus was lost because what had it is gone. */
export function isFocusLost({ element }: FocusPlace): boolean {
  return !element.isConnected && document.activeElement === document.body;
}
