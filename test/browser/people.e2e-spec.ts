import type { Page } from 'playwright-core';
import { createApiKey, createApiKeyWith } from '../factories/api-keys.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { recordUsage } from '../factories/usage.js';
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

const emailOf = ({ userId }: Member) => `${userId}@example.com`;
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('The page of a person', () => {
  it(
    "should show their role, keys, usage, sessions and events, and no one else's",
    dashboard.test(async (visitor) => {
      const { id } = await createApiKey(dashboard.service, grace, 'Search indexer');
      await createApiKey(dashboard.service, owner, 'Of the owner');
      const { organizationId } = owner;
      await recordUsage(dashboard.service, [{ organizationId, apiKeyId: id }]);
      const { page } = await openMembers(visitor, owner);
      await page.getByRole('link', { name: 'Grace Hopper' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Grace Hopper' })).toBeVisible();
      await expect(page.getByRole('main').getByText(emailOf(grace)).first()).toBeVisible();
      await expect(section(page, 'API keys').getByRole('link', { name: 'Search indexer' })).toBeVisible();
      await expect(section(page, 'API keys').getByText('Of the owner')).toBeHidden();
      await expect(section(page, 'Usage').getByRole('img', { name: '1 request, 0 failed' })).toBeVisible();
      await expect(section(page, 'Sessions').getByRole('cell', { name: '127.0.0.1' })).toBeVisible();
      await expect(section(page, 'Events').getByText('Grace Hopper created the key Search indexer')).toBeVisible();
      await section(page, 'API keys').getByRole('link', { name: 'View in API keys' }).click();
      await page.waitForURL(new RegExp(`creatorId=${grace.userId}`));
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      expect(await page.getByRole('combobox', { name: 'Creator' }).inputValue()).toBe('Grace Hopper');
    }),
  );

  it(
    'should name a removed member, and show what they left behind',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, grace, 'Search indexer');
      await removeMember(dashboard.service, grace, owner);
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('combobox', { name: 'Show' }).selectOption('Removed members');
      await page.getByRole('link', { name: 'Grace Hopper' }).click();
      await expect(page.getByRole('term').getByText('Removed', { exact: true })).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: 'by A member' }).getByRole('link')).toBeVisible();
      await expect(section(page, 'API keys').getByRole('link', { name: 'Search indexer' })).toBeVisible();
      expect(await section(page, 'Sessions').count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should say who removed a member, in the list too, and show their events with those about them',
    dashboard.test(async (visitor) => {
      const { service } = dashboard;
      const email = emailOf(grace);
      const body = { email: 'ada@example.com', roleId: owner.roleId };
      await call(service.url, 'POST /members', { token: grace.token, body });
      const update = { token: owner.token, body: { roleId: owner.roleId } };
      await call(service.url, `PATCH /members/${grace.membershipId}`, update);
      await removeMember(service, grace, owner);
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('combobox', { name: 'Show' }).selectOption('Removed members');
      const row = page.getByRole('row').filter({ hasText: email });
      await expect(row.getByText(/^Removed .* by A member$/)).toBeVisible();
      await row.getByRole('link', { name: 'Grace Hopper' }).click();
      const events = section(page, 'Events');
      for (const text of [
        'A member removed Grace Hopper',
        'A member changed the role of Grace Hopper',
        'Grace Hopper invited ada@example.com',
      ]) {
        await expect(events.getByText(text)).toBeVisible();
      }
      await events.getByRole('link', { name: 'Events about Grace Hopper' }).click();
      await page.waitForURL(/targetEmail=/);
      await expect(page.getByText('A member removed Grace Hopper')).toBeVisible();
      await expect(page.getByText('invited ada@example.com')).toBeHidden();
      await expect(page.getByText(`Only about ${email}`)).toBeVisible();
    }),
  );

  it(
    'should say of someone who left that they left, in the list too',
    dashboard.test(async (visitor) => {
      await call(dashboard.service.url, 'DELETE /members/me', { token: grace.token });
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('combobox', { name: 'Show' }).selectOption('Removed members');
      await expect(
        page
          .getByRole('row')
          .filter({ hasText: 'Grace Hopper' })
          .getByText(/^Left /),
      ).toBeVisible();
      await page.getByRole('link', { name: 'Grace Hopper' }).click();
      await expect(page.getByRole('term').getByText('Left', { exact: true })).toBeVisible();
      expect(await page.getByText('Removed', { exact: true }).count()).toBe(0);
    }),
  );

  it(
    'should hide what the user may not see',
    dashboard.test(async (visitor) => {
      const reader = await createColleague(dashboard.service, owner, 'Reader', { permissions: ['get-members'] });
      const { page } = visitor;
      await visitor.visit(reader, `/dashboard/members/${grace.userId}`);
      await expect(page.getByText('Joined')).toBeVisible();
      for (const name of ['API keys', 'Usage', 'Sessions', 'Events']) {
        expect(await section(page, name).count()).toBe(0);
      }
      expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    }),
  );

  it(
    'should not show people of other organizations',
    dashboard.test(async (visitor) => {
      const stranger = await createMember(dashboard.service);
      await visitor.visit(owner, `/dashboard/members/${stranger.userId}`);
      await expect(visitor.page.getByRole('heading', { name: 'Person not found' })).toBeVisible();
    }),
  );

  it(
    'should fit a narrow window, and have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, grace, 'Search indexer');
      const { page } = visitor;
      await visitor.visit(owner, `/dashboard/members/${grace.userId}`);
      await expect(section(page, 'Events').getByText('created the key')).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      const usage = section(page, 'Usage');
      const edges = [usage.getByRole('radiogroup', { name: 'Range' }), usage].map(async (element) => {
        const { x, width } = (await element.boundingBox()) ?? { x: NaN, width: 0 };
        return x + width;
      });
      const [range, card = NaN] = await Promise.all(edges);
      expect(range).toBeLessThan(card);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});

describe('The page of a service account', () => {
  it(
    'should show its keys and events',
    dashboard.test(async (visitor) => {
      const account = await createServiceAccount(dashboard.service, owner);
      const token = await tokenOf(dashboard.service, account);
      await createApiKeyWith(dashboard.service, { token }, 'Of the pipeline');
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members?view=service-accounts');
      await page.getByRole('link', { name: account.name }).click();
      await expect(section(page, 'API keys').getByRole('link', { name: 'Of the pipeline' })).toBeVisible();
      await expect(section(page, 'Events').getByText('created the key Of the pipeline')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});

describe('The creators in the list of keys', () => {
  it(
    'should be found by name, filter the keys, and sort them',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, owner, 'Of the owner');
      await createApiKey(dashboard.service, grace, 'Of Grace');
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/keys');
      await page.getByRole('button', { name: 'Created by' }).click();
      await page.waitForURL(/orderBy=creator/);
      await expect(page.getByRole('row').nth(1).getByRole('link', { name: 'A member' })).toBeVisible();
      await page.getByRole('button', { name: 'All creators' }).press('Enter');
      const field = page.getByRole('combobox', { name: 'Creator' });
      await expect(field).toBeFocused();
      await field.fill('hopper');
      await page.getByRole('option', { name: /Grace Hopper/ }).click();
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Of Grace' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Clear creator' }).click();
      await expect(page.getByText('1–2 of 2')).toBeVisible();
    }),
  );
});
