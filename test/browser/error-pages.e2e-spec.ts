import { createMember } from '../factories/organizations.js';
import { findBarriers } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

type OpenPage = (visitor: Visitor) => Promise<void>;

/** Shows an address of the dashboard that is none of its pages. */
const openUnknownPage: OpenPage = async (visitor) => {
  await visitor.signInAs(await createMember(dashboard.service));
  await visitor.page.goto('/dashboard/no-such-page');
  await visitor.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
};

/** Shows a page that breaks while it is drawn. */
const openBrokenPage: OpenPage = async (visitor) => {
  const { page, problems } = visitor;
  const body = `export function RolesPage() { throw new Error('The matrix stands on its head.'); }`;
  await page.route('**/assets/RolesPage-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
  problems.expect(/Console: .*The matrix stands on its head/s);
  await visitor.signInAs(await createMember(dashboard.service));
  await page.goto('/dashboard/roles');
  await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor();
  expect(await page.getByRole('alert').innerText()).not.toContain('matrix');
};

/** Shows a dashboard that cannot begin. */
const openBrokenDashboard: OpenPage = async (visitor) => {
  const { page, problems } = visitor;
  await page.route('**/auth/me', (route) => route.fulfill({ status: 500, json: {} }));
  problems.expect(/Answer 500: GET .*\/auth\/me/);
  problems.expect(/Console: ServiceError/);
  await visitor.signInAs(await createMember(dashboard.service));
  await page.goto('/dashboard/keys');
  await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor();
};

const openPages: [string, OpenPage][] = [
  ['an unknown page', openUnknownPage],
  ['a broken page', openBrokenPage],
  ['a dashboard that cannot begin', openBrokenDashboard],
];

describe.each(['light', 'dark'] as const)('In %s colours', (colorScheme) => {
  it.each(openPages)('%s should hinder nobody', (_, open) =>
    dashboard.test(
      async (visitor) => {
        await open(visitor);
        expect(await findBarriers(visitor.page)).toEqual([]);
        expect(await visitor.page.getByRole('main').count()).toBe(1);
        expect(await measureOverflow(visitor.page)).toBe(0);
      },
      { ...narrowWindow, colorScheme },
    )(),
  );
});

describe('The other pages', () => {
  it.each(openPages.slice(0, 2))('should stay within reach from %s', (_, open) =>
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await open(visitor);
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    })(),
  );
});
