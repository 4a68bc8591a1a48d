import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { OrganizationDto } from '../../src/organizations/dto/organization.dto.js';
import { Membership } from '../../src/organizations/membership.entity.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

/** Creates an organization of the owner with one key, named after it. */
async function createOrganization(name: string): Promise<string> {
  const response = await call(dashboard.service.url, 'POST /organizations', { token: owner.token, body: { name } });
  const { id } = response.body as OrganizationDto;
  await createApiKey(dashboard.service, { ...owner, organizationId: id }, `Key of ${name}`);
  return id;
}

const switcher = (page: Page) => page.getByRole('button', { name: /^Organization: / });
/** The key in the list of keys, or in the latest changes of the overview, to which a switch leads. */
const keyOf = (page: Page, name: string) => page.getByRole('main').getByText(`Key of ${name}`, { exact: true });

async function switchTo(page: Page, name: string): Promise<void> {
  await switcher(page).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Starts recording when the page shows a key under the name of another organization. */
async function watchMixups(page: Page, names: string[]): Promise<() => Promise<string[]>> {
  await page.evaluate(`{
    globalThis.mixups = [];
    new MutationObserver(() => {
      const label = document.querySelector('[aria-label^="Organization: "]')?.getAttribute('aria-label') ?? '';
      const text = document.querySelector('main')?.textContent ?? '';
      for (const name of ${JSON.stringify(names)}) {
        if (!label.endsWith(name) && text.includes('Key of ' + name)) mixups.push(name + ' under ' + label);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  }`);
  return () => page.evaluate<string[]>('mixups');
}

describe('Switching organizations', () => {
  it(
    'should never show data of one organization under the name of another',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const names = ['Alpha', 'Beta', 'Gamma'];
      const [organizationId = ''] = await Promise.all(names.map(createOrganization));
      await visitor.visit({ ...owner, organizationId }, '/dashboard/keys?name=key');
      await expect(keyOf(page, 'Alpha')).toBeVisible();
      const readMixups = await watchMixups(page, names);
      await switchTo(page, 'Beta');
      await switchTo(page, 'Gamma');
      await expect(keyOf(page, 'Gamma')).toBeVisible();
      await switchTo(page, 'Alpha');
      await expect(keyOf(page, 'Alpha')).toBeVisible();
      expect(await page.getByText(/^Key of/).count()).toBe(1);
      expect(await readMixups()).toEqual([]);
    }),
  );

  it(
    'should ignore late responses for the previous organization',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const names = ['Alpha', 'Beta'];
      const [organizationId = ''] = await Promise.all(names.map(createOrganization));
      await visitor.visit({ ...owner, organizationId }, '/dashboard/keys');
      await expect(keyOf(page, 'Alpha')).toBeVisible();
      const readMixups = await watchMixups(page, names);
      let release = () => {};
      const switched = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/api-keys?*name=key*', async (route) => {
        const response = await route.fetch();
        await switched;
        // The page may have aborted the request.
        await route.fulfill({ response }).catch(() => undefined);
      });
      const asked = page.waitForRequest('**/api-keys?*name=key*');
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('key');
      await asked;
      await switchTo(page, 'Beta');
      await expect(keyOf(page, 'Beta')).toBeVisible();
      release();
      await page.unroute('**/api-keys?*name=key*');
      await page.getByRole('link', { name: 'API keys', exact: true }).click();
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('Key of');
      await page.waitForURL('**/dashboard/keys?name=Key*');
      await expect(keyOf(page, 'Beta')).toBeVisible();
      expect(await readMixups()).toEqual([]);
    }),
  );

  it(
    'should switch all windows of the browser',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      const [organizationId = ''] = await Promise.all(['Alpha', 'Beta'].map(createOrganization));
      await visitor.visit({ ...owner, organizationId }, '/dashboard/organization');
      const other = await context.newPage();
      await other.goto('/dashboard/keys');
      await expect(keyOf(other, 'Alpha')).toBeVisible();
      await page.getByRole('button', { name: 'Switch to Beta' }).click();
      await expect(keyOf(page, 'Beta')).toBeVisible();
      await expect(keyOf(other, 'Beta')).toBeVisible();
      expect(await keyOf(other, 'Alpha').count()).toBe(0);
    }),
  );

  it(
    'should show an error if the user is no longer a member',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const organizationId = await createOrganization('Alpha');
      await visitor.visit(owner, '/dashboard/keys');
      await switcher(page).click();
      const item = page.getByRole('menuitem', { name: 'Alpha' });
      await expect(item).toBeVisible();
      const { manager } = dashboard.service.app.get(DataSource);
      await manager.delete(Membership, { userId: owner.userId, organizationId });
      await item.click();
      await expect(page.getByText('You are not a member of an organization with this id.')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      await switcher(page).click();
      await expect(item).toBeHidden();
    }),
  );
});
