import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { expire } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  await createApiKey(dashboard.service, owner, 'Search indexer');
  const { id } = await createApiKey(dashboard.service, owner, 'Old importer');
  await expire(dashboard.service, id);
});

const expiredKeys = '/dashboard/keys?state=expired&orderBy=name&order=ASC';
const menu = (page: Page) => page.getByRole('button', { name: /^Views/ });

async function choose(page: Page, item: string): Promise<void> {
  await menu(page).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Opens the expired keys, and saves them as a view. */
async function save(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor;
  await visitor.visit(owner, expiredKeys);
  await choose(page, 'Save view');
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog).toBeHidden();
}

describe('A saved view of the keys', () => {
  it(
    'should be chosen again later, and be shown as chosen',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await save(visitor, 'Expired');
      await expect(menu(page).getByText('Expired')).toBeVisible();
      await page.getByRole('combobox', { name: 'State' }).selectOption('All states');
      await expect(page.getByText('1–2 of 2')).toBeVisible();
      await expect(menu(page).getByText('Views')).toBeVisible();
      await page.goto('/dashboard/keys?name=nothing&page=3');
      await choose(page, 'Expired');
      await page.waitForURL((url) => url.search.includes('state=expired') && !url.search.includes('name=nothing'));
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      await page.goBack();
      await page.waitForURL(/name=nothing/);
    }),
  );

  it(
    'should be saved, renamed and deleted by keyboard',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, expiredKeys);
      await menu(page).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('menuitem', { name: 'Save view' })).toBeFocused();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.type('Expired');
      await page.keyboard.press('Enter');
      await expect(page.getByText('View Expired saved in this browser.')).toBeVisible();
      await expect(menu(page)).toBeFocused();

      await page.keyboard.press('Enter');
      await expect(page.getByRole('menuitem', { name: 'Expired' })).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Rename view' }).getByRole('textbox').fill('Past keys');
      await page.keyboard.press('Enter');
      await expect(menu(page).getByText('Past keys')).toBeVisible();

      await menu(page).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Delete view' }).press('Enter');
      await expect(page.getByText('View Past keys deleted.')).toBeVisible();
      await expect(menu(page).getByText('Views')).toBeVisible();
      await expect(menu(page)).toBeFocused();
    }),
  );

  it(
    'should replace the one with the same name, and say so before',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await save(visitor, 'Mine');
      await page.goto('/dashboard/keys?state=active');
      await choose(page, 'Save view');
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('MINE');
      await expect(dialog.getByText('You have a view with this name. It will be replaced.')).toBeVisible();
      await dialog.getByRole('button', { name: 'Save view' }).click();
      await expect(dialog).toBeHidden();
      await menu(page).click();
      expect(await page.getByRole('menuitem', { name: 'mine' }).allInnerTexts()).toEqual(['MINE']);
    }),
  );

  it(
    'should have a link that shows the same keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, expiredKeys);
      await choose(page, 'Copy link');
      await expect(page.getByText('Link copied.')).toBeVisible();
      const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
      expect(link.pathname).toBe('/dashboard/keys');
      expect(Object.fromEntries(link.searchParams)).toMatchObject({ state: 'expired', orderBy: 'name', order: 'ASC' });
    }),
  );

  it(
    'should only appear in the organization in which it was saved',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await save(visitor, 'Expired');
      await visitor.visit(await createMember(dashboard.service), '/dashboard/keys?state=expired');
      await menu(page).click();
      await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible();
      expect(await page.getByRole('menuitem', { name: 'Expired' }).count()).toBe(0);
    }),
  );

  it(
    'should ask for filters first, and for one view less after twenty',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/keys');
      await menu(page).click();
      await expect(page.getByText('Filter or sort the keys to save a view.')).toBeVisible();
      const search = { orderBy: 'name', order: 'ASC' };
      const views = Array.from({ length: 20 }, (_, index) => ({
        name: `View ${index}`,
        search: { ...search, tag: `t${index}` },
      }));
      await page.evaluate(
        `localStorage.setItem('keycard.key-views.${owner.organizationId}', ${JSON.stringify(JSON.stringify(views))})`,
      );
      await page.goto(expiredKeys);
      await menu(page).click();
      await expect(page.getByText('You have 20 views. Delete one first.')).toBeVisible();
      expect(await page.getByRole('menuitem', { name: 'Save view' }).count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it.each([
    ['full', `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`],
    [
      'blocked',
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
    ],
  ])(
    'should say that it was not saved if the storage of the browser is %s',
    dashboard.test(async (visitor, _state: string, script: string) => {
      const { page } = visitor;
      await visitor.visit(owner, expiredKeys);
      await page.evaluate(`{ ${script} }`);
      await choose(page, 'Save view');
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Expired');
      await dialog.getByRole('button', { name: 'Save view' }).click();
      await expect(dialog.getByRole('alert').getByText("Your browser didn't store the view.")).toBeVisible();
      expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Expired');
    }),
  );

  it.each(['W'.repeat(100), 'مفاتيح منتهية الصلاحية للفريق', '🔑🗝️ expired 👩🏽‍💻'])(
    'should fit a narrow window with the name %s',
    dashboard.test(async (visitor, name: string) => {
      const { page } = visitor;
      await save(visitor, name);
      await expect(menu(page)).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      await menu(page).click();
      await expect(page.getByRole('menuitem', { name })).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );

  it(
    'should survive anything that is stored in its place',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/keys');
      await page.evaluate(`localStorage.setItem('keycard.key-views.${owner.organizationId}', '[{"name":7},"{')`);
      await page.goto(expiredKeys);
      await save(visitor, 'Expired');
      await expect(menu(page).getByText('Expired')).toBeVisible();
    }),
  );
});
