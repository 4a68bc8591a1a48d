/** Accessible names that Swagger UI's controls lack, by selector. */
const names: Record<string, string> = {
  '.body-param__text': 'Request body',
  '.close-modal': 'Close',
  '.examples-select-element': 'Example',
  '.modal-ux': 'Authorization',
  'select.content-type': 'Media type',
};

/** Fields of a parameter or of a property of a form, and where Swagger UI has its name. */
const fields = ':is([data-param-name], [data-property-name]) :is(input, select, textarea)';

/** Completes the attributes of Swagger UI whenever it renders. */
export function completeAttributes(root: HTMLElement): void {
  keepFocus(root);
  const find = (selector: string) => root.querySelectorAll<HTMLElement>(selector);
  const complete = () => {
    for (const [selector, name] of Object.entries(names))
      for (const element of find(selector)) element.ariaLabel = name;
    for (const field of find(fields)) field.ariaLabel = nameOf(field);
    for (const dialog of find('.modal-ux:not([role])')) prepareDialog(dialog);
    // Labels that differ from the text of the button.
    for (const button of find('.modal-btn')) button.removeAttribute('aria-label');
    // Otherwise, each table is a landmark.
    for (const table of find('table.responses-table')) table.removeAttribute('role');
    for (const heading of find('.auth-container h6')) heading.ariaLevel = '5';
    // Scrollable, so the keyboard must reach them.
    for (const sample of find('pre.microlight')) sample.tabIndex = 0;
  };
  new MutationObserver(complete).observe(root, { childList: true, subtree: true });
}

/** Returns the focus from a closed dialog to what opened it, and within the dialog from what was replaced. */
function keepFocus(root: HTMLElement): void {
  let opener: HTMLElement | undefined;
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest('.modal-ux') === null) opener = target;
  });
  let wasOpen = false;
  const update = () => {
    const dialog = root.querySelector<HTMLElement>('.modal-ux');
    if (wasOpen && document.activeElement === document.body) (dialog ?? opener)?.focus();
    wasOpen = dialog !== null;
  };
  new MutationObserver(update).observe(root, { childList: true, subtree: true });
}

function prepareDialog(dialog: HTMLElement): void {
  dialog.role = 'dialog';
  dialog.tabIndex = -1;
  // Swagger UI focuses the last field, which scrolls past the others.
  dialog.querySelector('input')?.focus({ preventScroll: true });
  dialog.querySelector('.modal-ux-content')?.scrollTo(0, 0);
}

function nameOf(field: HTMLElement): string {
  const { paramName, propertyName = '' } =
    field.closest<HTMLElement>('[data-param-name], [data-property-name]')?.dataset ?? {};
  return paramName ?? propertyName;
}
