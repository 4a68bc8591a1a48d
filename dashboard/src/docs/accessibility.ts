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
  const find = (selector: string) => root.querySelectorAll<HTMLElement>(selector);
  const complete = () => {
    for (const [selector, name] of Object.entries(names))
      for (const element of find(selector)) element.ariaLabel = name;
    for (const field of find(fields)) field.ariaLabel = nameOf(field);
    for (const dialog of find('.modal-ux')) dialog.role = 'dialog';
    // Labels that differ from the text of the button.
    for (const button of find('.modal-btn')) button.removeAttribute('aria-label');
    // Otherwise, each table is a landmark.
    for (const table of find('table.responses-table')) table.removeAttribute('role');
    for (const heading of find('.auth-container h6')) heading.ariaLevel = '5';
    // They can scroll.
    for (const sample of find('pre.microlight')) sample.tabIndex = 0;
  };
  new MutationObserver(complete).observe(root, { childList: true, subtree: true });
}

function nameOf(field: HTMLElement): string {
  const { paramName, propertyName = '' } =
    field.closest<HTMLElement>('[data-param-name], [data-property-name]')?.dataset ?? {};
  return paramName ?? propertyName;
}
