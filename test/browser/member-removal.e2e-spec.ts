import type { Page } from 'playwright-core';
import type { Permission } from '../../src/access/permissions.js';
import { createApiKey, createApiKeyWith, rotateApiKey } from '../factories/api-keys.js';
import { createColleague, createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { openMembers } from './setup/members.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
let owner: Member;
let grace: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  grace = await createColleague(dashboard.service, owner, 'Grace Hopper');
});

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
      await expect(
        dialog.getByText('Grace Hopper still knows their secrets and can use them, unless someone else rotated them.'),
      ).toBeVisible();
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
    'should mark them on the page of the person if they keep working',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, grace, 'Search indexer');
      const { page } = visitor;
      await visitor.visit(owner, `/dashboard/members/${grace.userId}`);
      const badge = section(page, 'API keys').getByText('Known to removed members');
      await expect(section(page, 'API keys').getByText('Search indexer')).toBeVisible();
      expect(await badge.count()).toBe(0);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
      await expect(badge).toBeVisible();
    }),
  );

  it(
    'should disable them only if the role allows it',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, grace, 'Search indexer');
      const manager = await createColleague(dashboard.service, owner, 'Manager', {
        permissions: ['get-members', 'delete-members', 'get-api-keys'],
      });
      const { page, row } = await openMembers(visitor, manager);
      await row(grace).getByRole('button', { name: 'Remove Grace Hopper' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('radio', { name: 'Keep them working' })).toBeVisible();
      expect(await dialog.getByRole('radio', { name: /^Disable them/ }).isDisabled()).toBe(true);
      expect(await dialog.getByRole('radio', { name: /^Delete them/ }).isDisabled()).toBe(true);
    }),
  );

  it(
    'should say that they keep the secrets also to someone who may not see the keys',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, grace, 'Search indexer');
      const permissions: Permission[] = ['get-members', 'delete-members'];
      const manager = await createColleague(dashboard.service, owner, 'Manager', { permissions });
      const { page, row } = await openMembers(visitor, manager);
      await row(grace).getByRole('button', { name: 'Remove Grace Hopper' }).click();
      await expect(
        page.getByRole('dialog').getByText('They still know the secrets: ask someone who manages keys to rotate them.'),
      ).toBeVisible();
    }),
  );
});

describe('Removing a member who knows secrets of keys', () => {
  it(
    'should name the keys of others that they rotated, and lead to each',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, grace, 'Search indexer');
      const { id } = await createApiKey(dashboard.service, owner, 'Mail classifier');
      await createApiKey(dashboard.service, owner, 'Never rotated');
      await rotateApiKey(dashboard.service, { id }, grace);
      const { page, row } = await openMembers(visitor, owner);
      await row(grace).getByRole('button', { name: 'Remove Grace Hopper' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove Grace Hopper?' });
      const heading = dialog.getByRole('heading', { name: 'They also know the secret of 1 key they rotated' });
      await expect(heading).toBeVisible();
      await expect(dialog.getByText('This secret keeps working. To replace it, rotate the key.')).toBeVisible();
      expect(await dialog.getByRole('list', { name: 'Their API keys' }).getByRole('link').allInnerTexts()).toEqual([
        'Search indexer',
      ]);
      const rotated = dialog.getByRole('list', { name: 'Keys they rotated' }).getByRole('link');
      expect(await rotated.allInnerTexts()).toEqual(['Mail classifier']);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await rotated.click();
      await page.waitForURL(`/dashboard/keys/${id}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Mail classifier' })).toBeVisible();
    }),
  );

  it(
    'should name them also for a service account without keys of its own, in a narrow window',
    dashboard.test(async (visitor) => {
      const account = await createServiceAccount(dashboard.service, owner);
      const token = await tokenOf(dashboard.service, account);
      for (const name of ['Mail classifier', 'Search indexer']) {
        await rotateApiKey(dashboard.service, await createApiKey(dashboard.service, owner, name), { token });
      }
      const { page } = visitor;
      await visitor.visit(owner, `/dashboard/members/service-accounts/${account.id}`);
      await page.getByRole('button', { name: `Actions for ${account.name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete service account' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete service account' });
      const heading = dialog.getByRole('heading', { name: 'It knows the secrets of 2 keys it rotated' });
      await expect(heading).toBeVisible();
      expect(await dialog.getByRole('list', { name: 'Keys it rotated' }).getByRole('link').count()).toBe(2);
      expect(await dialog.getByRole('radio').count()).toBe(0);
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );

  it(
    'should lead to the list of their keys, to choose for each',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, owner, 'Of the owner');
      await createApiKey(dashboard.service, grace, 'Search indexer');
      const { page, row } = await openMembers(visitor, owner);
      await row(grace).getByRole('button', { name: 'Remove Grace Hopper' }).click();
      await page.getByRole('link', { name: 'Choose for each key in the list of keys' }).click();
      await page.waitForURL((url) => url.searchParams.get('creatorId') === grace.userId);
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
      expect(await page.getByRole('dialog').count()).toBe(0);
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
      await expect(page.getByRole('term').getByText('Removed', { exact: true })).toBeVisible();
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
      const { key } = await createApiKeyWith(dashboard.service, { token }, 'Of the pipeline');
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
      await createApiKeyWith(dashboard.service, { token }, 'Of the pipeline');
      const manager = await createColleague(dashboard.service, owner, 'Manager', {
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
