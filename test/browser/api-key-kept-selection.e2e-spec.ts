import type { Page } from 'playwright-core';
import { createApiKey, createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
const selectionOf = (page: Page) => page.getByRole('group', { name: 'Selected keys' });

/** Opens the dialog that changes the tags of the selected keys. */
async function openTags(page: Page, count: number) {
  await selectionOf(page).getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Tags' }).click();
  return page.getByRole('dialog', { name: `Change tags of ${count} keys` });
}

describe('API keys that were changed together', () => {
  it(
    'should stay selected on every page, for a second change that starts from the first',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      for (let index = 1; index <= 27; index++) await createApiKey(service, member, `Worker ${index}`);
      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await selectionOf(page).getByRole('button', { name: 'Select all 27' }).click();
      await expect(selectionOf(page).getByText('27 keys selected, 2 not on this page')).toBeVisible();
      const dialog = await openTags(page, 27);
      await dialog.getByLabel('Add tags').fill('Production,');
      const read = page.waitForResponse((response) => /\?id=/.test(response.url()));
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('27 keys updated.')).toBeVisible();
      await (await read).finished();

      const tagged = (await openTags(page, 27)).getByRole('listitem').filter({ hasText: 'production' });
      await expect(tagged.nth(26)).toBeVisible();
      await page.keyboard.press('Escape');
      await selectionOf(page).getByRole('button', { name: 'Clear selection' }).click();
      await expect(selectionOf(page)).toBeHidden();
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    }),
  );

  it(
    'should stay selected even if they no longer match the filter, until another filter is chosen',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      for (const name of ['First', 'Second', 'Third']) {
        await createRestrictedKey(service, member, { name, tags: ['staging'] });
      }
      await visitor.visit(member, '/dashboard/keys?tag=staging');
      for (const name of ['First', 'Second']) await rowOf(page, name).getByRole('checkbox').check();
      const dialog = await openTags(page, 2);
      await dialog.getByLabel('Remove tags').fill('staging,');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(rowOf(page, 'First')).toBeHidden();
      await expect(selectionOf(page).getByText('2 keys selected, 2 not on this page')).toBeVisible();
      await selectionOf(page).getByRole('button', { name: 'Disable' }).click();
      const confirmation = page.getByRole('dialog', { name: 'Disable 2 keys' });
      await expect(confirmation.getByRole('listitem').getByText('First')).toBeVisible();
      await confirmation.getByRole('button', { name: 'Disable 2 keys' }).click();
      await expect(page.getByText('2 keys disabled.')).toBeVisible();
      await expect(selectionOf(page).getByRole('button', { name: 'Enable' })).toBeVisible();
      await expect(selectionOf(page).getByRole('button', { name: 'Disable' })).toBeHidden();
      await page.getByRole('combobox', { name: 'State' }).selectOption('Disabled');
      await expect(selectionOf(page)).toBeHidden();
    }),
  );
});
