import { createMember } from '../factories/organizations.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

type OpenPage = (visitor: Visitor) => Promise<void>;

/** Opens an unknown URL. */
const openUnknownPage: OpenPage = async (visitor) => {
  await visitor.signInAs(await createMember(dashboard.service));
  await visitor.page.goto('/dashboard/no-such-page');
  await expect(visitor.page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
};

/** Opens a page that throws while rendering. */
const openBrokenPage: OpenPage = async (visitor) => {
  const { page, problems } = visitor;
  const body = `export function RolesPage() { throw new Error('The matrix is upside down.'); }`;
  await page.route('**/assets/RolesPage-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
  problems.expect(/Console: .*The matrix is upside down/s);
  await visitor.signInAs(await createMember(dashboard.service));
  await page.goto('/dashboard/roles');
  await expect(page.getByRole('heading', { level: 1, name: "This page couldn't be loaded" })).toBeVisible();
  expect(await page.getByRole('alert').innerText()).not.toContain('matrix');
};

/** Opens a dashboard that fails to start. */
const openBrokenDashboard: OpenPage = async (visitor) => {
  const { page, problems } = visitor;
  await page.route('**/auth/refresh', (route) => route.fulfill({ status: 500, json: {} }));
  problems.expect(/Response 500: POST .*\/auth\/refresh/);
  problems.expect(/Console: ServiceError/);
  await visitor.signInAs(await createMember(dashboard.service));
  await page.goto('/dashboard/keys');
  await expect(page.getByRole('heading', { level: 1, name: "This page couldn't be loaded" })).toBeVisible();
};

const openPages: [string, OpenPage][] = [
  ['an unknown page', openUnknownPage],
  ['a page that throws', openBrokenPage],
  ['a dashboard that fails to start', openBrokenDashboard],
];

describe('The error page', () => {
  it.each(openPages)('should be accessible in light and dark mode and fit a narrow window for %s', (_, open) =>
    dashboard.test(async (visitor) => {
      await open(visitor);
      expect(await findAccessibilityViolations(visitor.page)).toEqual([]);
      expect(await visitor.page.getByRole('main').count()).toBe(1);
      expect(await measureOverflow(visitor.page)).toBe(0);
    }, narrowWindow)(),
  );
});

describe('The navigation', () => {
  it.each(openPages.slice(0, 2))('should work on %s', (_, open) =>
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await open(visitor);
      await page.getByRole('link', { name: 'Usage' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
    })(),
  );
});
