import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs axe-core on the page and describes its findings, except about overlays outside landmarks: dropdowns are appended to the body. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  // A page keeps it until the next navigation.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) {
    await page.evaluate(await readFile(path.resolve('node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
  }
  const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations
    .filter(({ id }) => id !== 'region')
    .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`));
}
