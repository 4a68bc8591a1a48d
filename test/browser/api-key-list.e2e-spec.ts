import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { findBarriers } from './setup/axe.js';
import { chooseAction, confirmDeletion, createKey, rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow } from './setup/narrow-window.js';

const dashboard = openDashboard();
const names = Array.from({ length: 250 }, (_, index) => `Key ${String(index + 1).padStart(3, '0')}`);

/** What the list shows once its first row is this one. */
async function namesFrom(page: Page, first: string): Promise<string[]> {
  const rows = page.getByRole('table', { name: 'API keys' }).getByRole('row');
  await rows.nth(1).getByRole('link', { name: first, exact: true }).waitFor();
  return rows.getByRole('link').allInnerTexts();
}

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe('The list of 250 keys', () => {
  it(
    'should be sorted, paged and searched by what the address says, also by the back button',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (const name of names) await createApiKey(dashboard.service, member, name);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys');
      expect(await namesFrom(page, 'Key 250')).toEqual(names.slice(-25).reverse());
      await page.getByText('1–25 of 250').waitFor();

      await page.getByRole('button', { name: 'Name' }).click();
      expect(await namesFrom(page, 'Key 001')).toEqual(names.slice(0, 25));
      await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('10 per page');
      await page.getByRole('button', { name: 'Page 3' }).click();
      expect(await namesFrom(page, 'Key 021')).toEqual(names.slice(20, 30));
      const address = page.url();
      const thirdPage = { page: '3', perPage: '10', orderBy: 'name', order: 'ASC' };
      expect(searchOf(page)).toEqual(thirdPage);

      await page.getByRole('searchbox', { name: 'Search by name' }).fill('y 24');
      expect(await namesFrom(page, 'Key 240')).toEqual(names.slice(239, 249));
      await page.getByRole('link', { name: 'Key 241' }).click();
      await page.getByRole('heading', { name: 'Key 241' }).waitFor();
      await page.goBack();
      expect(await namesFrom(page, 'Key 240')).toEqual(names.slice(239, 249));
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('y 24');
      expect(searchOf(page)).toEqual({ perPage: '10', orderBy: 'name', order: 'ASC', name: 'y 24' });

      await page.goto(address);
      expect(await namesFrom(page, 'Key 021')).toEqual(names.slice(20, 30));
      await page.getByRole('button', { name: 'Next page' }).click();
      expect(await namesFrom(page, 'Key 031')).toEqual(names.slice(30, 40));
      await page.goBack();
      expect(await namesFrom(page, 'Key 021')).toEqual(names.slice(20, 30));
      expect(searchOf(page)).toEqual(thirdPage);
    }),
  );
});

describe('The list of keys', () => {
  it(
    'should lead to the last page when the one in the address is gone',
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
      await page.getByRole('heading', { name: 'API keys' }).and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'should say how long its pages are, also when the address names another length than is offered',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (const name of names.slice(0, 4)) await createApiKey(dashboard.service, member, name);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys?perPage=3');
      await page.getByText('1–3 of 4').waitFor();
      expect(await page.getByRole('combobox', { name: 'Rows per page' }).inputValue()).toBe('3');
    }),
  );

  it(
    'should say that nothing was found, and for what',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto('/dashboard/keys?name=billing');
      await page.getByRole('heading', { name: 'No key has this in its name' }).waitFor();
      await page.getByText('You searched for “billing”.').waitFor();
    }),
  );

  it(
    'should tell whoever may not see it which permission is missing',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service, { permissions: ['get-usage'] }));
      await page.goto('/dashboard/keys');
      await page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor();
      await page.getByText('get-api-keys').waitFor();
    }),
  );

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)(
    'should hinder nobody in %s colours at a width of %i pixels, nor should its dialogs',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark', width: number) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (const name of ['x'.repeat(100), 'Search indexer']) await createApiKey(dashboard.service, member, name);
      await visitor.signInAs(member);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 740 });
      await page.goto('/dashboard/keys');
      await rowOf(page, 'Search indexer').waitFor();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findBarriers(page)).toEqual([]);

      for (const action of ['Rename', 'Rotate', 'Delete']) {
        await chooseAction(page, 'Search indexer', action);
        await page.getByRole('dialog').getByRole('textbox').or(page.getByLabel('Keep accepting')).waitFor();
        expect(await findBarriers(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await createKey(page, 'Nightly batch');
      await page.getByRole('tab', { name: 'curl' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
    }),
  );
});
