import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { chooseAction } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const openForms: [title: string, path: string, open: (page: Page) => Promise<void>][] = [
  ['Create key', '/dashboard/keys', (page) => page.getByRole('button', { name: 'Create key' }).click()],
  ['Rename key', '/dashboard/keys', (page) => chooseAction(page, 'Indexer', 'Rename')],
  ['Limits and restrictions', '/dashboard/keys', (page) => chooseAction(page, 'Indexer', 'Limits and restrictions')],
  ['Invite member', '/dashboard/members', (page) => page.getByRole('button', { name: 'Invite member' }).click()],
  ['Create role', '/dashboard/roles', (page) => page.getByRole('button', { name: 'Create role' }).click()],
  ['Create organization', '/dashboard/organization', createOrganization],
];

async function createOrganization(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Organization:/ }).click();
  await page.getByRole('menuitem', { name: 'Create organization' }).click();
}

describe('Unsaved changes in a dialog', () => {
  it(
    'should only be discarded after confirmation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, owner, 'Indexer');
      await visitor.signInAs(owner);
      const confirmation = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      for (const [title, path, open] of openForms) {
        if (!page.url().endsWith(path)) await page.goto(path);
        await open(page);
        const dialog = page.getByRole('dialog', { name: title });
        const field = dialog.getByRole('textbox').last();
        await field.fill('Changed');
        expect(Number(await field.getAttribute('maxlength'))).toBeGreaterThan(0);
        await page.keyboard.press('Escape');
        await confirmation.getByRole('button', { name: 'Keep editing' }).click();
        await expect(confirmation).toBeHidden();
        expect(await field.inputValue()).toBe('Changed');
        await page.keyboard.press('Escape');
        await confirmation.getByRole('button', { name: 'Discard changes' }).click();
        await expect(dialog).toBeHidden();
        await open(page);
        expect(await dialog.getByRole('textbox').last().inputValue()).not.toBe('Changed');
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      }
    }),
  );
});

describe('Unsaved changes on a page', () => {
  it(
    'should only be discarded after confirmation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      await page.getByRole('textbox', { name: 'Name' }).fill('Changed');
      await page.getByRole('link', { name: 'Members' }).click();
      const confirmation = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      await confirmation.getByRole('button', { name: 'Keep editing' }).click();
      await expect(confirmation).toBeHidden();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Settings saved.')).toBeVisible();
      await page.getByRole('link', { name: 'Members' }).click();
      await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
    }),
  );
});
