import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AxeResults, NodeResult, RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const allRules: RunOnly = { type: 'tag', values: tags };
/** The other rules don't read colors, so they find the same in the second color scheme. */
const colorRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Waits until the page has applied another color scheme, including transitions between colors. */
const settle = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => document.getAnimations().filter((animation) => animation instanceof CSSTransition))
  .then((transitions) => Promise.allSettled(transitions.map(({ finished }) => finished)))
  .then(() => undefined)`;

/** Runs axe-core on the page, or on the elements with this selector, in light and dark mode, and describes its findings. */
export async function findAccessibilityViolations(page: Page, scope = 'html'): Promise<string[]> {
  // A page keeps it until the next navigation.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) {
    await page.evaluate(await readFile(path.resolve('node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
  }
  const found = new Set<string>();
  let runOnly = allRules;
  for (const colorScheme of await bothSchemes(page)) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(settle);
    const options = { runOnly, resultTypes: ['violations', 'incomplete'] };
    const { violations, incomplete } = await page.evaluate<AxeResults>(
      `axe.run(${JSON.stringify(scope)}, ${JSON.stringify(options)})`,
    );
    const invisible = incomplete.map((result) => ({ ...result, nodes: result.nodes.filter(isInvisible) }));
    for (const { id, help, nodes } of [...violations, ...invisible]) {
      for (const { target } of nodes) found.add(`${id}: ${help}: ${target.join(' ')}`);
    }
    runOnly = colorRules;
  }
  return [...found];
}

/** Whether a text has the color of its background, which axe-core leaves to people: it may be meant to be hidden. */
function isInvisible({ any }: NodeResult): boolean {
  return any.some(({ data }) => (data as { messageKey?: string } | null)?.messageKey === 'equalRatio');
}

/** Returns both color schemes, the current one first: applying another one to a large page takes as long as a scan. */
async function bothSchemes(page: Page): Promise<('dark' | 'light')[]> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  return isDark ? ['dark', 'light'] : ['light', 'dark'];
}
