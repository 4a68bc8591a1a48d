import { type Entry, findEntries } from './operations.js';

/** Reads the entries before the interactive reference replaces the list of operations. */
function readEntries(): Entry[] {
  const sections = Array.from(document.querySelectorAll('.contents a'), (link) => ({
    title: link.textContent,
    summary: '',
    link: link.getAttribute('href') ?? '',
  }));
  const operations = Array.from(document.querySelectorAll<HTMLElement>('.operations li'), (item) => {
    const title = Array.from(item.querySelectorAll('code'), (code) => code.textContent).join(' ');
    return { title, summary: item.lastChild?.textContent?.trim() ?? '', link: item.dataset.link ?? '' };
  });
  return [...sections, ...operations];
}

/**
 * Lets the field in the header find sections and operations. Ctrl-K moves the focus to it, as in the dashboard.
 *
 * @param open shows what a link such as `#/API%20keys/createApiKey` names
 */
export function enableSearch(open: (link: string) => void): void {
  const field = document.querySelector<HTMLInputElement>('.search input');
  const list = document.querySelector<HTMLUListElement>('#results');
  if (field === null || list === null) return;
  const entries = readEntries();
  let results: Entry[] = [];
  let selected = 0;

  const select = (index: number) => {
    selected = index;
    Array.from(list.children).forEach((item, place) => item.setAttribute('aria-selected', String(place === index)));
    const item = list.children[index];
    if (item === undefined) return field.removeAttribute('aria-activedescendant');
    field.setAttribute('aria-activedescendant', item.id);
    item.scrollIntoView({ block: 'nearest' });
  };
  const show = (found: Entry[]) => {
    results = found;
    list.replaceChildren(...found.map(toItem));
    list.hidden = found.length === 0;
    field.ariaExpanded = String(found.length > 0);
    select(0);
  };
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    field.value = '';
    show([]);
    open(entry.link);
  };

  field.addEventListener('input', () => show(findEntries(entries, field.value)));
  field.addEventListener('focus', () => show(findEntries(entries, field.value)));
  field.addEventListener('blur', () => show([]));
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') show([]);
    if ((step === undefined && event.key !== 'Enter') || results.length === 0) return;
    // Enter would also press the button that gets the focus.
    event.preventDefault();
    if (step === undefined) choose(results[selected]);
    else select((selected + step + results.length) % results.length);
  });
  // Keeps the focus in the field, which would close the list before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const item = target instanceof Element ? target.closest('li') : null;
    choose(results[Array.from(list.children).findIndex((child) => child === item)]);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

function toItem({ title, summary }: Entry, index: number): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `result-${index}`;
  item.role = 'option';
  item.append(title);
  const description = document.createElement('small');
  description.textContent = summary;
  if (summary !== '') item.append(description);
  return item;
}
