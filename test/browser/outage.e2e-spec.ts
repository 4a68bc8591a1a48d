import type { Page, Route } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { ServiceProxy } from './setup/service-proxy.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let proxy: ServiceProxy;
let member: Member;

beforeEach(async () => {
  proxy = new ServiceProxy(dashboard.service.url);
  await proxy.open();
  member = await createMember(dashboard.service);
  await createApiKey(dashboard.service, member, 'Search indexer');
});
afterEach(() => proxy.close());

const alert = (page: Page) => page.getByText('Reconnecting…');

/** Opens the member's keys through the proxy. */
async function showKeys(visitor: Visitor): Promise<Page> {
  const { page, problems } = visitor;
  problems.expect(/No response/);
  await visitor.signInAs(member);
  await page.goto(`${proxy.url}/dashboard/keys`);
  await page.getByRole('link', { name: 'Search indexer' }).waitFor();
  return page;
}

describe('During an outage, the dashboard', () => {
  it(
    'should keep the loaded data and refresh it when the service is back',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      await proxy.close();
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('billing');
      await expect(alert(page)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
      await createApiKey(dashboard.service, member, 'Billing service');
      await proxy.open();
      await expect(alert(page)).toBeHidden();
      await expect(page.getByRole('link', { name: 'Billing service' })).toBeVisible();
    }),
  );

  it(
    'should report at once what could not be saved, even if the browser knows that it is offline',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Billing service');
      await visitor.context.setOffline(true);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(dialog.getByText("Can't reach Keycard. Try again in a moment.")).toBeVisible();
      await visitor.context.setOffline(false);
      await expect(alert(page)).toBeHidden();
      expect(await page.getByRole('link', { name: 'Billing service' }).count()).toBe(0);
    }),
  );

  it(
    'should keep the current page until another one can be loaded',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      // If the browser caches the failed import, the router reloads the dashboard.
      visitor.problems.allow(/Failed to fetch dynamically imported module/);
      await proxy.close();
      await page.getByRole('link', { name: 'Roles' }).click();
      await expect(alert(page)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
      await proxy.open();
      await expect(page.getByRole('heading', { name: 'Roles', exact: true })).toBeVisible();
    }),
  );

  it(
    'should keep form input, so it can be submitted later',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Invoice reader');
      // What the form shows is loaded again after a while.
      await page.clock.setSystemTime(Date.now() + 60_000);
      await page.route('**/organizations', (route) => route.fulfill({ status: 400 }), { times: 1 });
      const failed = page.waitForResponse('**/organizations');
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await failed;
      await proxy.close();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(dialog.getByText("Can't reach Keycard.")).toBeVisible();
      await proxy.open();
      await expect(alert(page)).toBeHidden();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByRole('region', { name: 'Your new key' })).toBeVisible();
      const keys = await dashboard.service.query('select from api_keys where organization_id = $1', [
        member.organizationId,
      ]);
      expect(keys).toHaveLength(2);
    }),
  );

  it(
    'should report that signing out failed',
    dashboard.test(async (visitor) => {
      const page = await showKeys(visitor);
      await proxy.close();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect(page.getByText("You're still signed in.")).toBeVisible();
    }),
  );
});

describe('A dashboard that starts during an outage', () => {
  it(
    'should show an error, then the page when the service is back',
    dashboard.test(async (visitor) => {
      const { page, problems } = visitor;
      problems.expect(/No response/);
      problems.expect(/Console: ServiceError: Can't reach Keycard/);
      await visitor.signInAs(member);
      const disconnect = async (route: Route) => {
        await page.waitForLoadState();
        await proxy.close();
        await route.continue();
      };
      await page.route('**/auth/refresh', disconnect, { times: 1 });
      await page.goto(`${proxy.url}/dashboard/keys`);
      await expect(page.getByRole('heading', { name: "This page couldn't be loaded" })).toBeVisible();
      await proxy.open();
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
    }),
  );
});
