import type { Locator, Page } from 'playwright-core';
import { createMember } from '../factories/organizations.js';
import { openDashboard } from './setup/dashboard.js';
import { narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

const menuButton = (page: Page) => page.getByRole('button', { name: 'Menu', exact: true });
const closeButton = (page: Page) => page.getByRole('button', { name: 'Close menu' });

/** Waits until this has the focus. */
const hasFocus = (target: Locator) => target.and(target.page().locator(':focus')).waitFor();

describe('The menu in a narrow window', () => {
  it(
    'should be out of the way of the keyboard until it is opened',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/keys');
      await menuButton(page).focus();
      await page.keyboard.press('Tab');
      await hasFocus(page.getByRole('button', { name: 'Create key' }));
      expect(await page.getByRole('link', { name: 'Usage' }).count()).toBe(0);
    }, narrowWindow),
  );

  it.each([
    ['its button', (page: Page) => closeButton(page).click()],
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ])('should take the focus, and give it back when it is closed by %s', (_, close) =>
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/keys');
      await menuButton(page).press('Enter');
      await hasFocus(closeButton(page));
      await close(page);
      await hasFocus(menuButton(page));
      await closeButton(page).waitFor({ state: 'hidden' });
    }, narrowWindow)(),
  );

  it(
    'should stay open when a menu within it is closed, and lead to the pages',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/keys');
      await menuButton(page).click();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Your sessions' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitem', { name: 'Your sessions' }).waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
      await hasFocus(menuButton(page));
    }, narrowWindow),
  );
});
