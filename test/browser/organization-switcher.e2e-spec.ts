import type { Page } from 'playwright-core';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const create = (name: string) =>
  call(dashboard.service.url, 'POST /organizations', { token: owner.token, body: { name } });
const switcher = (page: Page) => page.getByRole('button', { name: /^Organization: / });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

/** Whether a menu item is inside the window. */
async function isInWindow(page: Page, name: string): Promise<boolean> {
  const { y, height } = (await item(page, name).boundingBox()) ?? { y: Infinity, height: 0 };
  return y + height <= (page.viewportSize()?.height ?? 0);
}

describe('The organization switcher', () => {
  it(
    'should scroll to keep all of its items reachable by mouse and keyboard',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      // The menu fades out while the next organization is shown.
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      for (let number = 1; number <= 30; number += 1) await create(`Number ${number}`);
      await visitor.visit(owner, '/dashboard/organization');
      await switcher(page).click();
      await expect(item(page, 'Number 30')).toBeVisible();
      expect(await isInWindow(page, 'Create organization')).toBe(true);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await item(page, 'Create organization').focus();
      await page.keyboard.press('ArrowUp');
      await expect(item(page, 'Number 30')).toBeFocused();
      expect(await isInWindow(page, 'Number 30')).toBe(true);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Organization: Number 30' })).toBeVisible();
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await expect(page.getByRole('main')).toBeFocused();
    }),
  );

  it(
    'should be usable by keyboard while the only organization is the current one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      await switcher(page).press('Enter');
      await expect(page.getByRole('menuitem').first()).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(item(page, 'Create organization')).toBeFocused();
    }),
  );

  it(
    'should not offer to create an organization to members who may not, like the page and the search',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const viewer = await createMember(dashboard.service, { permissions: ['get-api-keys'] });
      await visitor.visit(viewer, '/dashboard/organization');
      await switcher(page).click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      expect(await page.getByText('Create organization').count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });
      await field.fill('organization');
      await expect(page.getByRole('option', { name: 'Organization', exact: true })).toBeVisible();
      expect(await page.getByText('Create organization').count()).toBe(0);
    }),
  );

  it(
    'should show a loading state',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await create('Alpha');
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/organizations', async (route) => {
        await released;
        await route.continue();
      });
      await visitor.visit(owner, '/dashboard/members');
      await switcher(page).click();
      await expect(item(page, 'Loading…')).toBeVisible();
      release();
      await expect(item(page, 'Alpha')).toBeVisible();
      expect(await item(page, 'Loading…').count()).toBe(0);
    }),
  );
});
