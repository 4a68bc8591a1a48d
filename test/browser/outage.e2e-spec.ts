import type { Page, Route } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { CuttableProxy } from './setup/cuttable-proxy.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let proxy: CuttableProxy;
let member: Member;

beforeEach(async () => {
  proxy = new CuttableProxy(dashboard.service.url);
  await proxy.open();
  member = await createMember(dashboard.service);
  await createApiKey(dashboard.service, member, 'Search indexer');
});
afterEach(() => proxy.cut());

const banner = (page: Page) => page.getByText('Keycard cannot be reached at the moment.');

/** Shows the keys of the member, by way of the proxy, which will be cut. */
async function showKeys(visitor: Visitor): Promise<Page> {
  const { page, problems } = visitor;
  problems.expect(/No answer/);
  await visitor.signInAs(member);
  await page.goto(`${proxy.url}/dashboard/keys`);
  await page.getByRole('link', { name: 'Search indexer' }).waitFor();
  return page;
}

describe('While the service is away', () => {
  it(
    'should say so, keep what was loaded, and go on by itself once it is back',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      await proxy.cut();
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('billing');
      await banner(page).waitFor();
      await page.getByRole('link', { name: 'Search indexer' }).waitFor();
      await createApiKey(dashboard.service, member, 'Billing service');
      await proxy.open();
      await banner(page).waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Billing service' }).waitFor();
    }),
  );

  it(
    'should stay on the page when another cannot be loaded, and turn to that once it is back',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      // A browser that remembers that the file could not be had makes the router load the dashboard anew.
      visitor.problems.allow(/Failed to fetch dynamically imported module/);
      await proxy.cut();
      await page.getByRole('link', { name: 'Roles' }).click();
      await banner(page).waitFor();
      await page.getByRole('link', { name: 'Search indexer' }).waitFor();
      await proxy.open();
      await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor();
    }),
  );

  it(
    'should keep what was typed, and send it once when it is back',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Invoice reader');
      await proxy.cut();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Your work is kept').waitFor();
      await proxy.open();
      await banner(page).waitFor({ state: 'hidden' });
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('region', { name: 'Your new key' }).waitFor();
      const keys = await dashboard.service.query('select from api_keys where organization_id = $1', [
        member.organizationId,
      ]);
      expect(keys).toHaveLength(2);
    }),
  );

  it(
    'should say that nobody was signed out',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      await proxy.cut();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText('You are still signed in.').waitFor();
    }),
  );
});

describe('A dashboard that loses the service as it starts', () => {
  it(
    'should say so, and show the page by itself once it is back',
    dashboard.test(async (visitor) => {
      const { page, problems } = visitor;
      problems.expect(/No answer/);
      problems.expect(/Console: ServiceError: Keycard cannot be reached/);
      await visitor.signInAs(member);
      const cut = async (route: Route) => {
        await proxy.cut();
        await route.continue();
      };
      await page.route('**/auth/refresh', cut, { times: 1 });
      await page.goto(`${proxy.url}/dashboard/keys`);
      await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
      await proxy.open();
      await page.getByRole('link', { name: 'Search indexer' }).waitFor();
    }),
  );
});
