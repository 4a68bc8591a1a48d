import { enableSearch } from './search.js';

/** Renders a section of the interactive reference before its turn; undefined while the reference is loading. */
let renderSection: ((id: string) => void) | undefined;

/**
 * The page is complete without the interactive reference, which is larger than everything else together.
 *
 * @param fetched the OpenAPI document
 */
async function showReference(fetched: Promise<object>): Promise<void> {
  const [{ mountReference }, description] = await Promise.all([import('./reference.js'), fetched]);
  const overview = document.getElementById('reference');
  if (overview === null) return;
  const place = document.createElement('div');
  const finish = () => {
    overview.replaceChildren(place);
    if (window.location.hash !== '') scrollWhileGrowing(place);
  };
  renderSection = mountReference(place, description, { page: overview, first: sectionInUrl(), onComplete: finish });
}

async function fetchDescription(): Promise<object> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`/openapi.json responded with ${response.status}.`);
  return (await response.json()) as object;
}

/** Keeps what the URL names in view while the reference above it grows, until the user does anything. */
function scrollWhileGrowing(reference: HTMLElement): void {
  const observer = new ResizeObserver(() => document.getElementById(idInUrl())?.scrollIntoView());
  observer.observe(reference);
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(event, () => observer.disconnect(), { once: true, passive: true });
  }
}

/** The id of the element that the URL names: `section`, or `/tag` and `/tag/operation` as in Swagger UI's links. */
function idInUrl(): string {
  const name = window.location.hash.slice(1).replaceAll('%20', '_');
  if (!name.startsWith('/')) return name;
  return name.split('/').length === 2 ? `operations-tag-${name.slice(1)}` : `operations${name.replaceAll('/', '-')}`;
}

/** The id of the section of the operation that the URL names. */
const sectionInUrl = () => `operations-tag-${window.location.hash.split('/')[1]?.replaceAll('%20', '_') ?? ''}`;

/** Moves the focus along with the view. The reference has replaced what the browser would move it to. */
function focusContents(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLAnchorElement) || target.closest('.contents, .skip') === null) return;
    const section = document.getElementById(target.hash.slice(1));
    section?.setAttribute('tabindex', '-1');
    section?.focus({ preventScroll: true });
  });
}

focusContents();

/** Shows what the search found: opens the operation or scrolls to the section, and moves the focus there. */
function openLink(link: string): void {
  window.location.hash = link;
  renderSection?.(sectionInUrl());
  // It's rendered after this task.
  setTimeout(() => {
    const section = document.getElementById(idInUrl());
    const control = section?.querySelector<HTMLElement>('.opblock-summary-control') ?? null;
    if (control !== null && section?.classList.contains('is-open') !== true) control.click();
    if (control === null) section?.setAttribute('tabindex', '-1');
    (control ?? section)?.focus({ preventScroll: true });
    section?.scrollIntoView();
  });
}

enableSearch(openLink);

// What is there to read comes first: the reference would have to share the connection with its font. The document is small, and
// arrives by the time that the first bytes of the reference do.
const description = fetchDescription();
const show = () => showReference(description);
void document.fonts.load("1em 'Inter Variable'").then(show, show);

/** Where Mantine stores the color scheme of the dashboard. */
const colorSchemeKey = 'mantine-color-scheme-value';
const systemDarkMode = window.matchMedia('(prefers-color-scheme: dark)');

/** Applies the color scheme chosen in the dashboard, or else the system's. */
function applyColors(): void {
  const chosen = window.localStorage.getItem(colorSchemeKey);
  const isDark = chosen === 'light' || chosen === 'dark' ? chosen === 'dark' : systemDarkMode.matches;
  const { classList } = document.documentElement;
  classList.toggle('dark-mode', isDark);
  classList.toggle('light-mode', !isDark);
}

systemDarkMode.addEventListener('change', applyColors);
window.addEventListener('storage', applyColors);
applyColors();
