import type { BrowserContext } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

/** Signs in a member with one key. */
async function signIn(visitor: Visitor): Promise<void> {
  const member = await createMember(dashboard.service);
  await createApiKey(dashboard.service, member, 'Search indexer');
  await visitor.signInAs(member);
}

/** Holds responses until the function that it returns is called. */
async function holdResponses(context: BrowserContext, url: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await context.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

describe('A visit to a page of the dashboard', () => {
  it(
    'should show the navigation while the page is still being downloaded',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      await signIn(visitor);
      const release = await holdResponses(context, '**/assets/ApiKeysPage-*.js');
      await page.goto(`${dashboard.service.url}/dashboard/keys`);
      await expect(page.getByRole('link', { name: 'Members' })).toBeVisible();
      await expect(page.locator('[aria-current=page]').getByText('Keys')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Keys' })).toBeHidden();
      release();
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
    }),
  );

  it.each([
    ['/dashboard', 'OverviewPage'],
    ['/dashboard/keys', 'ApiKeysPage'],
    ['/dashboard/usage', 'UsagePage'],
  ])(
    'should request the files of %s before the scripts of all pages have run',
    dashboard.test(async (visitor, path: string, file: string) => {
      const { page, context } = visitor;
      const navigation = page.getByRole('navigation', { name: 'Pages' });
      await signIn(visitor);
      const release = await holdResponses(context, '**/assets/index-*.js');
      const requested = page.waitForRequest(`**/assets/${file}-*.js`);
      await page.goto(`${dashboard.service.url}${path}`, { waitUntil: 'commit' });
      await requested;
      expect(await navigation.count()).toBe(0);
      release();
      await expect(navigation).toBeVisible();
    }),
  );

  it.each(['/', '/sign-in'])(
    'should request the files of the overview while the user signs in at %s',
    dashboard.test(async ({ page }, path: string) => {
      const requested = page.waitForRequest('**/assets/OverviewPage-*.js');
      await page.goto(`${dashboard.service.url}${path}`);
      await expect(page.getByLabel('Email')).toBeVisible();
      await requested;
    }),
  );
});
