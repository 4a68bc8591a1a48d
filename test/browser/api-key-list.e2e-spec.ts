import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { chooseAction, confirmDeletion, createKey, embed, rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow } from './setup/narrow-window.js';

const dashboard = openDashboard();
const names = Array.from({ length: 60 }, (_, index) => `Key ${String(index + 1).padStart(3, '0')}`);

/** Waits until this is the first row, and returns all names. */
async function namesFrom(page: Page, first: string): Promise<string[]> {
  const rows = page.getByRole('table', { name: 'API keys' }).getByRole('row');
  await rows.nth(1).getByRole('link', { name: first, exact: true }).waitFor();
  return rows.locator('a[href*="/keys/"]').allInnerTexts();
}

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe('A list of several pages', () => {
  it(
    'should keep its sort order, page and search in the URL',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (const name of names) await createApiKey(dashboard.service, member, name);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys');
      expect(await namesFrom(page, 'Key 060')).toEqual(names.slice(-25).reverse());
      await expect(page.getByText('1–25 of 60')).toBeVisible();

      await page.getByRole('button', { name: 'Name' }).click();
      expect(await namesFrom(page, 'Key 001')).toEqual(names.slice(0, 25));
      await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('10 per page');
      await page.getByRole('button', { name: 'Page 3' }).click();
      expect(await namesFrom(page, 'Key 021')).toEqual(names.slice(20, 30));
      const url = page.url();
      const thirdPage = { page: '3', perPage: '10', orderBy: 'name', order: 'ASC' };
      expect(searchOf(page)).toEqual(thirdPage);

      await page.getByRole('searchbox', { name: 'Search by name' }).fill('y 04');
      expect(await namesFrom(page, 'Key 040')).toEqual(names.slice(39, 49));
      await page.getByRole('link', { name: 'Key 041' }).click();
      await expect(page.getByRole('heading', { name: 'Key 041' })).toBeVisible();
      await page.goBack();
      expect(await namesFrom(page, 'Key 040')).toEqual(names.slice(39, 49));
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('y 04');
      expect(searchOf(page)).toEqual({ perPage: '10', orderBy: 'name', order: 'ASC', name: 'y 04' });
      await page.getByRole('searchbox', { name: 'Search by name' }).fill(' Key 041 ');
      expect(await namesFrom(page, 'Key 041')).toEqual(['Key 041']);
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe(' Key 041 ');

      await page.goto(url);
      expect(await namesFrom(page, 'Key 021')).toEqual(names.slice(20, 30));
      // By keyboard, the focused control stays in view, while the table grows and the page would scroll to the top.
      const perPage = page.getByRole('combobox', { name: 'Rows per page' });
      await perPage.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('link', { name: 'Key 025' }).waitFor();
      await waitFor(() =>
        page.evaluate<boolean>(`document.activeElement.getBoundingClientRect().bottom <= innerHeight`),
      );
      await expect(perPage).toBeFocused();

      await page.goto(url);
      expect(await namesFrom(page, 'Key 021')).toEqual(names.slice(20, 30));
      await page.getByRole('button', { name: 'Next page' }).click();
      expect(await namesFrom(page, 'Key 031')).toEqual(names.slice(30, 40));
      await page.goBack();
      expect(await namesFrom(page, 'Key 021')).toEqual(names.slice(20, 30));
      expect(searchOf(page)).toEqual(thirdPage);
    }),
  );
});

describe('The API keys page', () => {
  it(
    'should show the last page after the only key of a page is deleted',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (const name of names.slice(0, 11)) await createApiKey(dashboard.service, member, name);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys?perPage=10&page=2');
      await chooseAction(page, 'Key 001', 'Delete');
      await confirmDeletion(page, 'Key 001');
      expect(await namesFrom(page, 'Key 011')).toHaveLength(10);
      expect(searchOf(page)).toEqual({ perPage: '10' });
      await expect(page.getByRole('heading', { name: 'API keys' })).toBeFocused();
    }),
  );

  it(
    "should support page sizes in the URL that the select doesn't offer",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (const name of names.slice(0, 4)) await createApiKey(dashboard.service, member, name);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys?perPage=3');
      await expect(page.getByText('1–3 of 4')).toBeVisible();
      expect(await page.getByRole('combobox', { name: 'Rows per page' }).inputValue()).toBe('3');
    }),
  );

  it(
    'should only offer to create a key without any',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto('/dashboard/keys');
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      const controls = page.getByRole('main').locator('button, input, select');
      expect(await controls.allInnerTexts()).toEqual(['Create your first key']);
    }),
  );

  it(
    'should repeat the search term if no key matches, and offer to clear it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto('/dashboard/keys?name=billing');
      await expect(page.getByRole('heading', { name: 'No matching keys' })).toBeVisible();
      await expect(page.getByText('No key name contains “billing”.')).toBeVisible();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    }),
  );

  it(
    'should name the missing permission',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service, { permissions: ['get-usage'] }));
      await page.goto('/dashboard/keys');
      const title = "You don't have access to this page";
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(page.getByText('“List API keys”')).toBeVisible();
    }),
  );

  it(
    'should show the columns that a narrow window hides in a second line, exact times after a tap, and still sort by them',
    dashboard.test(
      async (visitor) => {
        const { page } = visitor;
        const member = await createMember(dashboard.service);
        const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
        await dashboard.service.query(`update api_keys set expires_at = now() + interval '40 days' where id = $1`, [
          id,
        ]);
        await createApiKey(dashboard.service, member, 'Mail classifier');
        const sort = page.getByRole('combobox', { name: 'Sort by' });
        await visitor.signInAs(member);
        await page.goto('/dashboard/keys');
        const row = rowOf(page, 'Search indexer');
        await expect(row).toBeVisible();
        expect(await row.getByText('Never used').count()).toBe(0);
        expect(await sort.count()).toBe(0);
        await page.setViewportSize({ width: 360, height: 740 });
        await expect(row.getByText('Never used')).toBeVisible();
        expect(await row.innerText()).toMatch(
          new RegExp(
            `Search indexer\\s+${key.slice(0, 8)}…\\s+A member\\s+Created just now\\s+Never used\\s+Expires in 40 days`,
          ),
        );
        const exactTime = page.getByRole('tooltip', { name: /^\d+ \w+ \d{4}, \d\d:\d\d/ });
        await waitFor(async () => {
          // A tap may miss the time while the page adapts to the width.
          await row.locator('time').first().tap();
          return exactTime.waitFor({ timeout: 2000 }).then(
            () => true,
            () => false,
          );
        });
        expect(await namesFrom(page, 'Mail classifier')).toEqual(['Mail classifier', 'Search indexer']);
        await sort.selectOption('Expires first');
        expect(await namesFrom(page, 'Search indexer')).toEqual(['Search indexer', 'Mail classifier']);
        expect(searchOf(page)).toEqual({ orderBy: 'expiresAt', order: 'ASC' });
      },
      { hasTouch: true, viewport: { width: 1440, height: 900 } },
    ),
  );

  it(
    'should show the exact times of a row with the focus of the keyboard, and describe it with them',
    dashboard.test(
      async (visitor) => {
        const { page } = visitor;
        const member = await createMember(dashboard.service);
        await createApiKey(dashboard.service, member, 'Search indexer');
        await visitor.signInAs(member);
        await page.goto('/dashboard/keys');
        const name = rowOf(page, 'Search indexer').getByRole('link', { name: 'Search indexer' });
        await name.focus();
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        await expect(name).toBeFocused();
        const exactTimes = page.getByRole('tooltip', { name: /^Created: \d+ \w+ \d{4}, \d\d:\d\d:\d\d CES?T$/ });
        await expect(exactTimes).toBeVisible();
        expect(await name.getAttribute('aria-describedby')).toBe(await exactTimes.getAttribute('id'));
        await page.keyboard.press('Escape');
        await expect(exactTimes).toBeHidden();
      },
      { viewport: { width: 1440, height: 900 } },
    ),
  );

  it.each([
    [1280, /^4$/],
    [390, /^4 requests in 7 days/],
  ] as const)(
    'should label a limit that is nearly used up, apart from the requests of the last 7 days, at %i pixels',
    dashboard.test(async (visitor, width: number, requests: RegExp) => {
      const { service } = dashboard;
      const { page } = visitor;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member, 'Search indexer');
      await setLimits(service, { keyId: id }, [{ metric: 'requests', per: 'month', max: 5 }]);
      for (let count = 0; count < 4; count++) expect(await embed(service, key)).toBe(200);
      await page.setViewportSize({ width, height: 740 });
      await visitor.visit(member, '/dashboard/keys');
      const mark = page.getByText('Monthly budget: 80.0% used').filter({ visible: true });
      const count = rowOf(page, 'Search indexer').getByText(requests).filter({ visible: true });
      const [above, below] = [await count.boundingBox(), await mark.boundingBox()];
      expect(above?.y).toBeLessThan(below?.y ?? NaN);
      expect(await measureOverflow(page)).toBe(0);
    }),
  );

  it.each([1280, 360])(
    'should have no accessibility violations in light or dark mode at %i pixels, including its dialogs',
    dashboard.test(async (visitor, width: number) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (const name of ['x'.repeat(100), 'Search indexer']) await createApiKey(dashboard.service, member, name);
      await visitor.signInAs(member);
      await page.setViewportSize({ width, height: 740 });
      await page.goto('/dashboard/keys');
      await rowOf(page, 'Search indexer').waitFor();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);

      for (const action of ['Rename', 'Rotate', 'Delete']) {
        await chooseAction(page, 'Search indexer', action);
        await page.getByRole('dialog').getByRole('textbox').or(page.getByLabel('Revoke the current secret')).waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await createKey(page, 'Nightly batch');
      await page.getByRole('tab', { name: 'curl' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
