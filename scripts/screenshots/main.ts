import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../../test/browser/setup/launch-browser.js';
import { Visitor } from '../../test/browser/setup/visitor.js';
import { startAppWithDashboard } from '../../test/setup/built-dashboard.js';
import setUp from '../../test/setup/global-setup.js';
import tearDown from '../../test/setup/global-teardown.js';
import type { TestApp } from '../../test/setup/test-app.js';
import { exampleModels } from './example-models.js';
import { createExampleOrganization, type ExampleOrganization } from './example-organization.js';
import { pages } from './pages.js';

const folder = path.resolve('docs/images');

interface Studio {
  browser: Browser;
  service: TestApp;
  example: ExampleOrganization;
}

/** Takes screenshots in one color scheme; all of them if `names` is empty. */
async function takeScreenshots({ browser, service, example }: Studio, colorScheme: 'light' | 'dark', names: string[]) {
  for (const { name, path: pathOf, isPublic, prepare } of pages) {
    if (names.length > 0 && !names.includes(name)) continue;
    const visitor = await Visitor.open(browser, service, { colorScheme, deviceScaleFactor: 2 });
    const { page, problems } = visitor;
    if (isPublic === undefined) await visitor.signInAs(example);
    await page.goto(pathOf(example));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const file = path.join(folder, `${name}-${colorScheme}.png`);
    const { size } = await sharp(await page.screenshot({ caret: 'hide' }))
      .png({ palette: true, effort: 10, compressionLevel: 9 })
      .toFile(file);
    if (problems.list().length > 0) throw new Error(`${name}: ${problems.list().join('\n')}`);
    console.log(`${path.relative('.', file)}  ${Math.ceil(size / 1000)} kB`);
    await visitor.close();
  }
}

await mkdir(folder, { recursive: true });
await setUp();
const service = await startAppWithDashboard({ config: { models: exampleModels } });
const browser = await launchBrowser();
try {
  const studio = { browser, service, example: await createExampleOrganization(service) };
  for (const colorScheme of ['light', 'dark'] as const)
    await takeScreenshots(studio, colorScheme, process.argv.slice(2));
} finally {
  await browser.close();
  await service.stop();
  await tearDown();
}
