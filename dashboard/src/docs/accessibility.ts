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

/**
 * Keeps the focus in an open dialog, returns it from a closed one to what opened it, and moves it on from a button that
 * was replaced, such as Execute, to its successor.
 */
function keepFocus(root: HTMLElement): void {
  const findDialog = () => root.querySelector<HTMLElement>('.modal-ux');
  let opener: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const dialog = findDialog();
    if (dialog === null) opener = target;
    else if (!dialog.contains(target)) dialog.focus();
  });
  let operation: Element | null = null;
  root.addEventListener('click', ({ target }) => {
    operation = target instanceof Element ? target.closest('.opblock') : null;
  });
  let wasOpen = false;
  const update = () => {
    const dialog = findDialog();
    if (document.activeElement === document.body) {
      const execute = operation?.querySelector<HTMLElement>('.execute');
      const tryOut = operation?.querySelector<HTMLElement>('.try-out__btn');
      (dialog ?? (wasOpen ? opener : (execute ?? tryOut)))?.focus({ preventScroll: true });
    }
    wasOpen = dialog !== null;
  };
  new MutationObserver(update).observe(root, { childList: true, subtree: true });
}

function prepareDialog(dialog: HTMLElement): void {
  dialog.role = 'dialog';
  dialog.ariaModal = 'true';
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
