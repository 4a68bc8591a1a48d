import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { chooseAction, confirmDeletion, confirmSaved, createKey, openKeys, rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const confirm = (page: Page, action: string) => page.getByRole('dialog').getByRole('button', { name: action }).click();

/** Creates a resource as a member. */
async function create({ token }: Member, path: string, body: object): Promise<void> {
  expect(await call(dashboard.service.url, `POST ${path}`, { token, body })).toMatchObject({ status: 201 });
}

describe('In a dialog for limits, the focus', () => {
  it(
    'should start at the first limit, or at the button that adds one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openKeys(dashboard, visitor);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      const add = page.getByRole('dialog').getByRole('button', { name: 'Add limit' });
      const maximum = page.getByRole('dialog').getByRole('textbox', { name: 'Maximum' });
      await page.reload();
      await chooseAction(page, 'Search indexer', 'Limits and restrictions');
      await expect(add).toBeFocused();
      await page.keyboard.press('Escape');
      await setLimits(dashboard.service, { keyId: id }, [{ max: 10, metric: 'requests', per: 'day' }]);
      await chooseAction(page, 'Search indexer', 'Limits and restrictions');
      await expect(maximum).toBeFocused();
      await page.goto('/dashboard/organization');
      await page.getByRole('button', { name: 'Edit limits' }).click();
      await expect(add).toBeFocused();
    }),
  );
});

describe('After a deletion, the focus', () => {
  it(
    'should move to the next key, or to the heading after the last one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openKeys(dashboard, visitor);
      for (const name of ['The third', 'The second', 'The first']) await createApiKey(dashboard.service, member, name);
      await page.reload();
      const deleteKey = async (name: string) => {
        await chooseAction(page, name, 'Delete');
        await confirmDeletion(page, name);
      };
      await deleteKey('The first');
      await expect(rowOf(page, 'The second')).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('checkbox', { name: 'Select The second' })).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: 'The second' })).toBeFocused();
      await deleteKey('The third');
      await expect(rowOf(page, 'The second')).toBeFocused();
      await deleteKey('The second');
      await expect(heading(page, 'API keys')).toBeFocused();
    }),
  );

  it(
    'should move to the heading of the list if the key was deleted on its own page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, 'Search indexer');
      await expect(heading(page, 'API keys')).toBeFocused();
    }),
  );

  it(
    'should move to the next session, or to the heading after the last one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await openSession(dashboard.service, member);
      await visitor.visit(member, '/dashboard/account');
      const rows = page.getByRole('table', { name: 'Your sessions' }).locator('tbody').getByRole('row');
      await rows
        .getByRole('button', { name: /^Sign out ./ })
        .first()
        .click();
      await confirm(page, 'Sign out');
      await rows.nth(2).waitFor({ state: 'detached' });
      await expect(rows.nth(1)).toBeFocused();
      await page.getByRole('button', { name: 'Sign out all other devices' }).click();
      await confirm(page, 'Sign out all');
      await expect(heading(page, 'Your account')).toBeFocused();
    }),
  );

  it(
    'should move to the next member, or to the heading after the last invitation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const owner = await createMember(dashboard.service);
      const { organizationId, roleId } = owner;
      const { userId } = await createMember(dashboard.service, { organizationId });
      await create(owner, '/members', { email: `${userId}@example.org`, roleId });
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('button', { name: /^Remove / }).click();
      await confirm(page, 'Remove member');
      await expect(page.getByRole('row').filter({ hasText: `${owner.userId}@example.com` })).toBeFocused();
      await page.getByRole('tab', { name: 'Invitations' }).click();
      await page.getByRole('button', { name: `Actions for ${userId}@example.org` }).click();
      await page.getByRole('menuitem', { name: 'Withdraw' }).click();
      await confirm(page, 'Withdraw invitation');
      await expect(heading(page, 'Members')).toBeFocused();
    }),
  );

  it(
    'should move to the next member if the buttons of their role are disabled first',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const owner = await createMember(dashboard.service);
      const { userId } = await createMember(dashboard.service, { organizationId: owner.organizationId });
      await dashboard.service.query('update memberships set role_id = $1 where user_id = $2', [owner.roleId, userId]);
      await visitor.visit(owner, '/dashboard/members');
      const remove = page.getByRole('main').getByRole('button', { name: /^Remove / });
      await remove.click();
      const dialog = page.getByRole('dialog');
      await page.route('**/members?*', async (route) => {
        // Disabled once the roles are loaded, because no other administrator is left.
        await remove.and(page.locator(':disabled')).waitFor();
        await route.continue();
      });
      await dialog.getByRole('button', { name: 'Remove member' }).click();
      await remove.waitFor({ state: 'detached' });
      await expect(page.getByRole('row').filter({ hasText: `${owner.userId}@example.com` })).toBeFocused();
    }),
  );

  it(
    'should move to the heading of the roles page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const owner = await createMember(dashboard.service);
      await create(owner, '/roles', { name: 'Auditor', permissions: [] });
      await visitor.visit(owner, '/dashboard/roles');
      await page.getByRole('button', { name: 'Actions for Auditor' }).click();
      await page.getByRole('menuitem', { name: 'Delete role' }).click();
      await page.getByLabel('Type Auditor to confirm').fill('Auditor');
      await confirm(page, 'Delete role');
      await expect(heading(page, 'Roles')).toBeFocused();
    }),
  );
});

describe('After a dialog is cancelled, the focus', () => {
  it(
    'should return to the button of the row that it was opened from, and what was typed is gone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const owner = await createMember(dashboard.service);
      const { roleId } = owner;
      for (const name of ['Deployer', 'Importer']) await create(owner, '/service-accounts', { name, roleId });
      await visitor.visit(owner, '/dashboard/members?view=service-accounts');
      for (const name of ['Deployer', 'Importer', 'Deployer']) {
        const button = page.getByRole('button', { name: `Actions for ${name}` });
        await button.click();
        await page.getByRole('menuitem', { name: 'Delete service account' }).click();
        const field = page.getByLabel(`Type ${name} to confirm`);
        expect(await field.inputValue()).toBe('');
        await field.fill(name);
        await page.keyboard.press('Escape');
        await expect(button).toBeFocused();
      }
    }),
  );
});

describe('After filters are cleared, the focus', () => {
  it.each([
    ['API keys', '/dashboard/keys?state=disabled', 'Clear filters', 'Search indexer'],
    ['Audit log', '/dashboard/audit-log?action=role.delete', 'Clear filters', 'created the key'],
    ['Usage', '/dashboard/usage?model=none', 'Clear filters', 'Try the playground'],
  ])(
    'should move to the heading “%s” from %s › %s',
    dashboard.test(async (visitor, title, path, button, shown) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await create(member, '/api-keys', { name: 'Search indexer' });
      await visitor.visit(member, path);
      await page.getByRole('button', { name: button }).press('Enter');
      await expect(page.getByText(shown).first()).toBeVisible();
      await expect(heading(page, title)).toBeFocused();
    }),
  );

  it(
    'should move to the search field, and from a cleared selection to the heading',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.visit(member, '/dashboard/keys?name=indexer');
      await page.getByRole('button', { name: 'Clear search' }).press('Enter');
      await page.waitForURL('**/dashboard/keys');
      await expect(page.getByRole('searchbox', { name: 'Search by name' })).toBeFocused();
      await page.getByRole('checkbox', { name: 'Select Search indexer' }).check();
      await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
      await expect(heading(page, 'API keys')).toBeFocused();
    }),
  );
});

describe('After the first key is created, the focus', () => {
  it(
    'should move to the heading, because the button is gone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).click();
      await createKey(page, 'Search indexer');
      await confirmSaved(page);
      await expect(heading(page, 'API keys')).toBeFocused();
    }),
  );
});
