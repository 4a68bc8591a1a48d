import type { Page } from 'playwright-core';
import { createMember } from '../factories/organizations.js';
import { waitFor } from '../setup/wait-for.js';
import { openDashboard } from './setup/dashboard.js';
import { narrowWindow, phone } from './setup/narrow-window.js';

const dashboard = openDashboard();

const menuButton = (page: Page) => page.getByRole('button', { name: 'Menu', exact: true });
const closeButton = (page: Page) => page.getByRole('button', { name: 'Close menu' });

describe('The mobile menu', () => {
  it(
    'should not be in the tab order until it is opened',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/keys');
      const create = page.getByRole('button', { name: 'Create your first key' });
      await expect(create).toBeVisible();
      await menuButton(page).focus();
      await page.keyboard.press('Tab');
      await expect(create).toBeFocused();
      expect(await page.getByRole('link', { name: 'Usage' }).count()).toBe(0);
    }, narrowWindow),
  );

  it.each([
    ['the close button', (page: Page) => closeButton(page).click()],
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ])('should take the focus, and restore it when closed with %s', (_, close) =>
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/keys');
      await menuButton(page).press('Enter');
      await expect(closeButton(page)).toBeFocused();
      await close(page);
      await expect(menuButton(page)).toBeFocused();
      await expect(closeButton(page)).toBeHidden();
    }, narrowWindow)(),
  );

  it(
    'should keep the page behind it from scrolling',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/roles');
      const readScrollY = () =>
        page.evaluate<number>(
          'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(scrollY))))',
        );
      await expect(page.getByRole('heading', { level: 1, name: 'Roles' })).toBeVisible();
      await page.setViewportSize({ width: 390, height: 200 });
      await menuButton(page).click();
      await page.mouse.move(200, 100);
      await page.mouse.wheel(0, 300);
      expect(await readScrollY()).toBe(0);
      await page.keyboard.press('Escape');
      await page.mouse.wheel(0, 300);
      await waitFor(async () => (await readScrollY()) > 0);
    }, phone),
  );

  it(
    'should hide messages, which would cover the account',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/organization');
      await page.getByRole('textbox', { name: 'Name' }).fill('Northwind');
      await page.getByRole('button', { name: 'Save' }).click();
      const message = page.getByText('Settings saved.');
      await expect(message).toBeVisible();
      await menuButton(page).click();
      await expect(message).toBeHidden();
      await page.getByRole('button', { name: 'Your account' }).click();
      await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    }, narrowWindow),
  );

  it(
    'should stay open when a nested menu is closed, and link to the pages',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/keys');
      await menuButton(page).click();
      await page.getByRole('button', { name: 'Your account' }).click();
      await expect(page.getByRole('menuitem', { name: 'Your account' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menuitem', { name: 'Your account' })).toBeHidden();
      await page.getByRole('link', { name: 'Usage' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
      await expect(menuButton(page)).toBeFocused();
    }, narrowWindow),
  );
});
