import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] };

/** Waits until the page has applied another color scheme, including transitions between colors. */
const settle = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => document.getAnimations().filter((animation) => animation instanceof CSSTransition))
  .then((transitions) => Promise.allSettled(transitions.map(({ finished }) => finished)))
  .then(() => undefined)`;

/** Runs axe-core on the page, by default in dark and light mode, and describes its findings. */
export async function findAccessibilityViolations(
  page: Page,
  colorSchemes: readonly ('dark' | 'light')[] = ['dark', 'light'],
): Promise<string[]> {
  // A page keeps it until the next navigation.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) {
    await page.evaluate(await readFile(path.resolve('node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
  }
  const found = new Set<string>();
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(settle);
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    for (const { id, help, nodes } of violations) {
      for (const { target } of nodes) found.add(`${id}: ${help}: ${target.join(' ')}`);
    }
  }
  return [...found];
}
