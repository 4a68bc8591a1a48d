import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { Checkout } from './checkout.js';

const page = 'dashboard/dist/index.html';
let checkout: Checkout;

/** A checkout with a one-line dashboard, so that it builds quickly. */
beforeEach(async () => {
  checkout = await Checkout.copy(['openapi.json', 'dashboard'], (file) => !/^dashboard.(src|dist)$/.test(file));
  await checkout.write('dashboard/src/main.tsx', "document.title = 'Keycard';\n");
  await checkout.write('dashboard/src/docs/main.ts', "document.title = 'Keycard API';\n");
  await checkout.write('dashboard/src/docs/docs.css', 'body { margin: 0; }\n');
});
afterEach(() => checkout.remove());

/** Builds the dashboard as `npm start` and `npm test` do. */
function buildIfStale() {
  const { status, stdout, stderr } = checkout.run(`
    import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';
    import { step } from './project.mjs';
    if (!isDashboardBuilt()) await step(buildDashboard);
  `);
  return { status, stderr, hasBuilt: stdout.includes('keycard: building the dashboard') };
}

const isBuilt = () =>
  checkout.run(`
    import { isDashboardBuilt } from './build-dashboard.mjs';
    console.log(isDashboardBuilt());
  `).stdout === 'true\n';

describe('Building the dashboard', () => {
  it('should happen once, and again only after a source, dependency or API change, or if the result was removed', async () => {
    const built = { status: 0, stderr: '', hasBuilt: true };
    expect(buildIfStale()).toEqual(built);
    expect(existsSync(checkout.pathOf(page))).toBe(true);
    expect(buildIfStale().hasBuilt).toBe(false);
    for (const source of ['dashboard/src/main.tsx', 'dashboard/vite.config.ts', 'package-lock.json', 'openapi.json']) {
      const content = await readFile(checkout.pathOf(source), 'utf8');
      await checkout.write(source, `${content}\n`);
      expect([source, isBuilt()]).toEqual([source, false]);
      await checkout.write(source, content);
    }
    await checkout.write('src/main.ts', 'export {};\n');
    await checkout.write('dashboard/src/main.spec.tsx', 'export {};\n');
    expect(isBuilt()).toBe(true);

    await checkout.write('dashboard/src/main.tsx', "document.title = 'Changed';\n");
    expect(buildIfStale()).toEqual(built);
    expect(buildIfStale().hasBuilt).toBe(false);
    await rm(checkout.pathOf('dashboard/dist'), { recursive: true });
    expect(buildIfStale()).toEqual(built);
    expect(existsSync(checkout.pathOf(page))).toBe(true);
  });

  it("should fail with one sentence after Vite's error, and be retried", async () => {
    await checkout.write('dashboard/src/main.tsx', 'const = 1;\n');
    for (const attempt of [buildIfStale(), buildIfStale()]) {
      expect(attempt).toMatchObject({ status: 1, hasBuilt: true });
      expect(attempt.stderr).toContain('main.tsx');
      expect(attempt.stderr).toMatch(/\nkeycard: building the dashboard failed; see the errors above\.\n$/);
    }
  });
});
