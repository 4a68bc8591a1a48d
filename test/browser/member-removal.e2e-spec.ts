import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { openMembers } from './setup/members.js';
import { narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
let owner: Member;
let grace: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  grace = await join('Grace Hopper');
});

async function join(name: string, options: Parameters<typeof createMember>[1] = {}): Promise<Member> {
  const member = await createMember(dashboard.service, { organizationId: owner.organizationId, ...options });
  await dashboard.service.query('update users set name = $2 where id = $1', [member.userId, name]);
  return member;
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
describe('Removing a member with keys', () => {
  it(
    'should list the keys, and delete them once the name is typed',
    dashboard.test(async (visitor) => {
      const { key } = await createApiKey(dashboard.service, grace, 'Search indexer');
      const { page, row } = await openMembers(visitor, owner);
      await row(grace).getByRole('button', { name: 'Remove Grace Hopper' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove Grace Hopper?' });
      const keys = dialog.getByRole('list', { name: 'Their API keys' });
      await expect(
        keys.getByRole('listitem').filter({ hasText: 'Search indexer' }).getByText('never used'),
      ).toBeVisible();
      expect(await dialog.getByRole('radio', { name: 'Keep them working' }).isChecked()).toBe(true);
      await dialog.getByRole('radio', { name: /^Delete them/ }).check();
      const confirm = dialog.getByRole('button', { name: 'Remove member' });
      expect(await confirm.isDisabled()).toBe(true);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('textbox').fill('Grace Hopper');
      await confirm.click();
      await expect(page.getByText('Grace Hopper removed and 1 key deleted.')).toBeVisible();
      expect((await call(dashboard.service.url, 'GET /v1/models', { token: key })).status).toBe(401);
    }),
  );

  it(
    'should disable them only if the role allows it',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, grace, 'Search indexer');
      const manager = await join('Manager', { permissions: ['get-members', 'delete-members', 'get-api-keys'] });
      const { page, row } = await openMembers(visitor, manager);
      await row(grace).getByRole('button', { name: 'Remove Grace Hopper' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('radio', { name: 'Keep them working' })).toBeVisible();
      expect(await dialog.getByRole('radio', { name: /^Disable them/ }).isDisabled()).toBe(true);
      expect(await dialog.getByRole('radio', { name: /^Delete them/ }).isDisabled()).toBe(true);
    }),
  );
});

describe('Removing a member on their page', () => {
  it(
    'should show them as removed, without asking for their sessions again or failing',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, `/dashboard/members/${grace.userId}`);
      await expect(section(page, 'Sessions').getByRole('cell', { name: '127.0.0.1' })).toBeVisible();
      await page.getByRole('button', { name: 'Remove' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove Grace Hopper?' });
      await expect(dialog.getByText('They created no API keys')).toBeVisible();
      const requests: string[] = [];
      const failures: string[] = [];
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      page.on('response', (response) => {
        if (!response.ok()) failures.push(`${response.status()} ${response.url()}`);
      });
      await dialog.getByRole('button', { name: 'Remove member' }).click();
      await expect(page.getByText('Left or removed')).toBeVisible();
      await expect(section(page, 'Sessions')).toBeHidden();
      await page.waitForLoadState('networkidle');
      expect(requests).toContain(`/people/${grace.userId}`);
      expect(requests).not.toContain(`/people/${grace.userId}/sessions`);
      expect(failures).toEqual([]);
    }),
  );
});

describe('Deleting a service account with keys', () => {
  it(
    'should list its keys, and keep, disable or delete them as chosen',
    dashboard.test(async (visitor) => {
      const account = await createServiceAccount(dashboard.service, owner);
      const token = await tokenOf(dashboard.service, account);
      const created = await call(dashboard.service.url, 'POST /api-keys', { token, body: { name: 'Of the pipeline' } });
      const { key } = created.body as { key: string };
      const { page } = visitor;
      await visitor.visit(owner, `/dashboard/members/service-accounts/${account.id}`);
      await page.getByRole('button', { name: `Actions for ${account.name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete service account' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete service account' });
      await expect(dialog.getByRole('list', { name: 'Its API keys' }).getByText('Of the pipeline')).toBeVisible();
      expect(await dialog.getByRole('radio', { name: 'Keep them working' }).isChecked()).toBe(true);
      await dialog.getByRole('radio', { name: /^Delete them/ }).check();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('textbox').fill(account.name);
      await dialog.getByRole('button', { name: 'Delete service account' }).click();
      await expect(page.getByText(`${account.name} deleted and 1 key deleted.`)).toBeVisible();
      expect((await call(dashboard.service.url, 'GET /v1/models', { token: key })).status).toBe(401);
    }),
  );

  it(
    'should disable or delete them only if the role allows it',
    dashboard.test(async (visitor) => {
      const account = await createServiceAccount(dashboard.service, owner);
      const token = await tokenOf(dashboard.service, account);
      await call(dashboard.service.url, 'POST /api-keys', { token, body: { name: 'Of the pipeline' } });
      const manager = await join('Manager', {
        permissions: ['get-members', 'get-service-accounts', 'delete-service-accounts', 'get-api-keys'],
      });
      const { page } = visitor;
      await visitor.visit(manager, '/dashboard/members?view=service-accounts');
      await page.getByRole('button', { name: `Actions for ${account.name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete service account' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('radio', { name: 'Keep them working' })).toBeVisible();
      expect(await dialog.getByRole('radio', { name: /^Disable them/ }).isDisabled()).toBe(true);
      expect(await dialog.getByRole('radio', { name: /^Delete them/ }).isDisabled()).toBe(true);
    }, narrowWindow),
  );
});
