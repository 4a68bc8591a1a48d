import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { OrganizationDto } from '../../src/organizations/dto/organization.dto.js';
import { Membership } from '../../src/organizations/membership.entity.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

let owner: Member;
beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

/** One more organization of the owner, with a key that has its name. */
async function createOrganization(name: string): Promise<string> {
  const answer = await call(dashboard.service.url, 'POST /organizations', { token: owner.token, body: { name } });
  const { id } = answer.body as OrganizationDto;
  await createApiKey(dashboard.service, { ...owner, organizationId: id }, `Key of ${name}`);
  return id;
}

const switcher = (page: Page) => page.getByRole('button', { name: /^Organization: / });
const keyOf = (page: Page, name: string) => page.getByRole('link', { name: `Key of ${name}` });

async function switchTo(page: Page, name: string): Promise<void> {
  await switcher(page).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Notes, from now on, each moment at which the page shows a key under the name of another organization. */
async function watchMixtures(page: Page, names: string[]): Promise<() => Promise<string[]>> {
  await page.evaluate(`{
    globalThis.mixtures = [];
    new MutationObserver(() => {
      const label = document.querySelector('[aria-label^="Organization: "]')?.getAttribute('aria-label') ?? '';
      const text = document.querySelector('main')?.textContent ?? '';
      for (const name of ${JSON.stringify(names)}) {
        if (!label.endsWith(name) && text.includes('Key of ' + name)) mixtures.push(name + ' under ' + label);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  }`);
  return () => page.evaluate<string[]>('mixtures');
}

describe('The settings of an organization', () => {
  it(
    'should limit how long new keys may live, and lift the limit',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { token } = owner;
      const createKey = () => call(dashboard.service.url, 'POST /api-keys', { token, body: { name: 'A key' } });
      await visitor.visit(owner, '/dashboard/organization');
      const limit = page.getByRole('switch', { name: 'Limit how long new keys live' });
      const days = page.getByRole('textbox', { name: 'Longest lifetime' });
      const save = page.getByRole('button', { name: 'Save changes' });
      await limit.check();
      await days.fill('0');
      await save.click();
      await page.getByText('Use a whole number from 1 to 3650.').waitFor();
      await days.fill('30');
      await save.click();
      await page.getByText('The settings are saved.').first().waitFor();
      expect((await createKey()).status).toBe(400);

      await limit.uncheck();
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await save.click();
      await saved;
      expect((await createKey()).status).toBe(201);
    }),
  );

  it(
    'should change the name, which the switcher shows at once',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill(' a ');
      await name.blur();
      await page.getByText('Use at least 2 characters.').waitFor();
      await name.fill('Laboratory');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('button', { name: 'Organization: Laboratory' }).waitFor();
    }),
  );

  it(
    'should only be read by those who may not change them, and name the permission',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = owner;
      await visitor.visit(
        await createMember(dashboard.service, { organizationId, permissions: ['get-api-keys'] }),
        '/dashboard/organization',
      );
      await page.getByText('Making changes requires the update-organization permission.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Name' }).isEditable()).toBe(false);
      expect(await page.getByRole('switch').isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    }),
  );
});

describe('A new organization', () => {
  it.each([
    ['the switcher', (page: Page) => switcher(page).click(), 'menuitem'],
    ['the page', (page: Page) => page.getByRole('heading', { name: 'Your organizations' }).waitFor(), 'button'],
  ] as const)(
    'should be created from %s and be the current one',
    dashboard.test(
      async (visitor, _place: string, begin: (page: Page) => Promise<void>, role: 'menuitem' | 'button') => {
        const { page } = visitor;
        await visitor.visit(owner, '/dashboard/organization');
        await begin(page);
        await page.getByRole(role, { name: 'Create organization' }).click();
        const dialog = page.getByRole('dialog', { name: 'Create organization' });
        const create = dialog.getByRole('button', { name: 'Create organization' });
        await create.click();
        await dialog.getByText('Use at least 2 characters.').waitFor();
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Research');
        await create.click();
        await page.getByRole('button', { name: 'Organization: Research' }).waitFor();
        await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
        await switcher(page).click();
        await page.getByRole('menuitem', { name: 'Research' }).waitFor();
        expect(await page.getByRole('menuitem').count()).toBe(3);
      },
    ),
  );
});

describe('Switching', () => {
  it(
    'should never show rows of one organization under the name of another, also twice in a row',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const names = ['Alpha', 'Beta', 'Gamma'];
      const [organizationId = ''] = await Promise.all(names.map(createOrganization));
      await visitor.visit({ ...owner, organizationId }, '/dashboard/keys?name=key');
      await keyOf(page, 'Alpha').waitFor();
      const readMixtures = await watchMixtures(page, names);
      await switchTo(page, 'Beta');
      await switchTo(page, 'Gamma');
      await keyOf(page, 'Gamma').waitFor();
      await switchTo(page, 'Alpha');
      await keyOf(page, 'Alpha').waitFor();
      expect(await page.getByRole('link', { name: /^Key of/ }).count()).toBe(1);
      expect(await readMixtures()).toEqual([]);
    }),
  );

  it(
    'should drop an answer for the organization before that arrives late',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const names = ['Alpha', 'Beta'];
      const [organizationId = ''] = await Promise.all(names.map(createOrganization));
      await visitor.visit({ ...owner, organizationId }, '/dashboard/keys');
      await keyOf(page, 'Alpha').waitFor();
      const readMixtures = await watchMixtures(page, names);
      let release = () => {};
      const switched = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/api-keys?*name=key*', async (route) => {
        const response = await route.fetch();
        await switched;
        // The page may have given the request up by now.
        await route.fulfill({ response }).catch(() => undefined);
      });
      const asked = page.waitForRequest('**/api-keys?*name=key*');
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('key');
      await asked;
      await switchTo(page, 'Beta');
      await keyOf(page, 'Beta').waitFor();
      release();
      await page.unroute('**/api-keys?*name=key*');
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('Key of');
      await page.waitForURL('**/dashboard/keys?name=Key*');
      await keyOf(page, 'Beta').waitFor();
      expect(await readMixtures()).toEqual([]);
    }),
  );

  it(
    'should take the other windows of the browser along',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      const [organizationId = ''] = await Promise.all(['Alpha', 'Beta'].map(createOrganization));
      await visitor.visit({ ...owner, organizationId }, '/dashboard/organization');
      const other = await context.newPage();
      await other.goto('/dashboard/keys');
      await keyOf(other, 'Alpha').waitFor();
      await page.getByRole('button', { name: 'Switch to Beta' }).click();
      await keyOf(page, 'Beta').waitFor();
      await keyOf(other, 'Beta').waitFor();
      expect(await keyOf(other, 'Alpha').count()).toBe(0);
    }),
  );

  it(
    'should say so when the person no longer belongs to the organization',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const organizationId = await createOrganization('Alpha');
      await visitor.visit(owner, '/dashboard/keys');
      await switcher(page).click();
      const item = page.getByRole('menuitem', { name: 'Alpha' });
      await item.waitFor();
      const { manager } = dashboard.service.app.get(DataSource);
      await manager.delete(Membership, { userId: owner.userId, organizationId });
      await item.click();
      await page.getByText('You are not a member of an organization with this id.').waitFor();
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
      await switcher(page).click();
      await item.waitFor({ state: 'detached' });
    }),
  );
});

describe('The page of the organization', () => {
  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      await page.emulateMedia({ colorScheme });
      await createOrganization('Alpha');
      await visitor.visit(owner, '/dashboard/organization');
      await page.getByRole('button', { name: 'Switch to Alpha' }).waitFor();
      await page.getByRole('switch').check();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create organization' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should fit on a narrow screen',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      await page.getByRole('table').waitFor();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});
