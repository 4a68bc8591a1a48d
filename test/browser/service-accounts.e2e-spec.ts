import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, requestToken } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
const url = '/dashboard/members?view=service-accounts';
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

describe('The tab Service accounts', () => {
  it(
    'should create an account, and show its secret once until it is saved',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('tab', { name: 'Service accounts' }).click();
      await expect(page.getByRole('heading', { name: 'No service accounts' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create service account' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Deploy pipeline');
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: `Role ${owner.roleId}` }).click();
      await dialog.getByRole('button', { name: 'Create service account' }).click();
      const region = dialog.getByRole('region', { name: 'Your new client secret' }).and(page.locator(':focus'));
      const clientSecret = await region.innerText();
      const id = await dialog.getByRole('group', { name: 'client ID' }).innerText();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
      expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
      await dialog.getByLabel("I've saved this secret").check();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('row', { name: 'Deploy pipeline' }).getByText('Never')).toBeVisible();
      expect(await page.content()).not.toContain(clientSecret.slice(9));
      expect((await requestToken(dashboard.service, { id, clientSecret })).status).toBe(200);
    }),
  );

  it(
    'should show the secret and the last sign-in below the name in a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const account = await createServiceAccount(dashboard.service, owner);
      await visitor.visit(owner, url);
      const row = page.getByRole('row', { name: account.name });
      await expect(row.getByText('Never signed in')).toBeVisible();
      await requestToken(dashboard.service, account);
      await page.reload();
      await expect(row.getByText('Signed in just now')).toBeVisible();
      await expect(row.getByText(`Secret ${account.clientSecret.slice(0, 9)}…`)).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should copy the client ID, rename the account, rotate its secret, and delete it after its name is typed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const account = await createServiceAccount(dashboard.service, owner);
      await visitor.visit(owner, url);
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: `Copy client ID of ${account.name}` }).click();
      await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(account.id);
      await page.getByRole('button', { name: `Actions for ${account.name}` }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Nightly backup');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await expect(page.getByText('Service account renamed to Nightly backup.')).toBeVisible();

      const actions = page.getByRole('button', { name: 'Actions for Nightly backup' });
      await actions.click();
      await page.getByRole('menuitem', { name: 'Rotate client secret' }).click();
      await dialog.getByLabel('Revoke the current client secret').selectOption('Immediately');
      await dialog.getByRole('button', { name: 'Rotate client secret' }).click();
      await expect(dialog.getByText('The previous client secret no longer works.')).toBeVisible();
      const clientSecret = await dialog.getByRole('region', { name: 'Your new client secret' }).innerText();
      await dialog.getByLabel("I've saved this secret").check();
      await dialog.getByRole('button', { name: 'Done' }).click();
      expect((await requestToken(dashboard.service, account)).status).toBe(401);
      expect((await requestToken(dashboard.service, { ...account, clientSecret })).status).toBe(200);

      await actions.click();
      await page.getByRole('menuitem', { name: 'Delete service account' }).click();
      const remove = dialog.getByRole('button', { name: 'Delete service account' });
      expect(await remove.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill('Nightly backup');
      await remove.click();
      await expect(page.getByRole('heading', { name: 'No service accounts' })).toBeVisible();
      expect((await requestToken(dashboard.service, { ...account, clientSecret })).status).toBe(401);
    }),
  );

  it(
    'should ask before granting permissions to an account, and offer to undo each change of its role',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const account = await createServiceAccount(dashboard.service, owner, ['get-usage']);
      await visitor.visit(owner, url);
      const role = page.getByRole('combobox', { name: `Role of ${account.name}` });
      await role.click();
      await page.getByRole('option', { name: `Role ${owner.roleId}` }).click();
      const dialog = page.getByRole('dialog', { name: `Change ${account.name}'s role to Role ${owner.roleId}?` });
      await expect(dialog.getByText('Create service accounts')).toBeVisible();
      expect(await role.inputValue()).toBe(`Role ${account.roleId}`);
      await dialog.getByRole('button', { name: 'Change role' }).click();
      await expect(page.getByText(`${account.name}'s role is now Role ${owner.roleId}.`)).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText(`${account.name}'s role is Role ${account.roleId} again.`)).toBeVisible();
      expect(await role.inputValue()).toBe(`Role ${account.roleId}`);
    }),
  );

  it(
    'should be hidden from users who cannot list service accounts',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = owner;
      await visitor.visit(await createMember(dashboard.service, { organizationId, permissions: ['get-members'] }), url);
      await expect(page.getByRole('table', { name: 'Members' })).toBeVisible();
      expect(await page.getByRole('tab', { name: 'Service accounts' }).count()).toBe(0);
    }),
  );
});

describe('The audit log', () => {
  it(
    'should name a service account as the actor, and filter by it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const account = await createServiceAccount(dashboard.service, owner);
      const { body } = await requestToken(dashboard.service, account);
      const { access_token: token } = body as { access_token: string };
      await call(dashboard.service.url, 'POST /api-keys', { token, body: { name: 'From the pipeline' } });
      await call(dashboard.service.url, 'POST /api-keys', { token: owner.token, body: { name: 'From a person' } });
      await visitor.visit(owner, `/dashboard/audit-log?actorId=${account.id}`);
      await expect(page.getByText('Deploy pipeline created the key From the pipeline')).toBeVisible();
      expect(await page.getByText('From a person').count()).toBe(0);
      expect(await page.getByRole('combobox', { name: 'Actor' }).inputValue()).toBe('Deploy pipeline');
      await page.getByRole('button', { name: 'Clear actor' }).click();
      await expect(page.getByText('From a person')).toBeVisible();
    }),
  );
});
