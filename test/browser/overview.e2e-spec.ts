import { createApiKey } from '../factories/api-keys.js';
import { recordKeyCreation } from '../factories/audit-log.js';
import { setLimits } from '../factories/limits.js';
import { createColleague, createMember, removeMember } from '../factories/organizations.js';
import { recordUsage, recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { nowhere, upstreamModel } from '../setup/upstream.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const model = upstreamModel([{ baseUrl: nowhere }], { id: 'remote', price: { perMillionTokens: { input: '2' } } });
const dashboard = openDashboard({ config: { models: [model] } });

/** A member of an organization with usage, a budget and keys that need attention. */
async function createBusyMember() {
  const { service } = dashboard;
  const member = await createMember(service);
  const { organizationId } = member;
  const { id: apiKeyId } = await createApiKey(service, member, 'Search indexer', new Date(Date.now() + 48 * 3_600_000));
  const fact = { organizationId, apiKeyId, model: 'remote' };
  await recordUsage(service, [
    { ...fact, inputTokens: 1_000_000, outputTokens: 500 },
    { ...fact, outcome: 'failure' },
  ]);
  await setLimits(service, { organizationId }, [{ metric: 'cost', per: 'month', max: '25000000000' }]);
  return { member, apiKeyId };
}

describe('The overview', () => {
  it(
    'should show usage, budgets, what needs attention and the latest changes with one request',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member } = await createBusyMember();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      await visitor.visit(member, '/dashboard');
      const usage = page.getByRole('region', { name: 'Usage' });
      await expect(usage.getByRole('group', { name: 'Cost, Today' }).getByText('US$2.00')).toBeVisible();
      const requests = usage.getByRole('group', { name: 'Requests, Today', exact: true });
      await expect(requests.getByText('2', { exact: true })).toBeVisible();
      await expect(requests.getByRole('img', { name: 'Requests by hour, at most 2' })).toBeVisible();
      await expect(usage.getByRole('group', { name: 'Failed requests, Today' }).getByText('50.0% of')).toBeVisible();
      await expect(usage.getByRole('group', { name: 'Tokens, Today' }).getByText('1M in, 500 out')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Budgets' }).getByText('US$25.00 per month')).toBeVisible();
      const attention = page.getByRole('region', { name: 'Needs attention' });
      await expect(attention.getByText('1 key expires within 7 days')).toBeVisible();
      const changes = page.getByRole('region', { name: 'Latest changes' });
      await expect(changes.getByText(/created the key Search indexer/)).toBeVisible();
      const data = requested.filter((path) => !path.includes('.') && !path.startsWith('/auth/'));
      expect(data.filter((path) => path !== '/organizations')).toEqual(['/dashboard', '/overview']);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await usage.getByRole('link', { name: 'View usage' }).click();
      await page.waitForURL(/month=\d{4}-\d\d/);
    }),
  );

  it(
    'should compare the month with the same part of the previous one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const { organizationId } = member;
      const { id: apiKeyId } = await createApiKey(service, member, 'Search indexer');
      const fact = { organizationId, apiKeyId, model: 'remote', inputTokens: 1000, cost: 1_000_000_000n };
      const now = new Date();
      const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString();
      await recordUsageAt(service, start, [fact, { ...fact, outcome: 'failure' }]);
      await recordUsage(service, [fact, fact, fact]);
      await visitor.visit(member, '/dashboard');
      const usage = page.getByRole('region', { name: 'Usage' });
      const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(now);
      const noteOf = (figure: string) => usage.getByRole('group', { name: `${figure}, ${month}`, exact: true });
      await expect(noteOf('Cost').getByText(/^\+50\.0% vs\. \S/)).toBeVisible();
      await expect(noteOf('Requests').getByText(/^\+50\.0% vs\. \S/)).toBeVisible();
      await expect(noteOf('Failed requests').getByText(/^50\.0% in \S/)).toBeVisible();
      await expect(noteOf('Tokens').getByText(/^\+50\.0% vs\. \S/)).toBeVisible();
      await expect(usage.getByText(/Changes are vs\. /)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should show what one person did at once as one change, as the audit log does',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      for (let number = 1; number <= 15; number += 1) {
        await recordKeyCreation(dashboard.service, member, `Key ${number}`);
      }
      await visitor.visit(member, '/dashboard');
      const changes = page.getByRole('region', { name: 'Latest changes' });
      await expect(changes.getByText('A member created 15 keys')).toBeVisible();
      expect(await changes.getByRole('listitem').count()).toBe(1);
    }),
  );

  it(
    'should lead to a key and to the list of keys that need attention',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, apiKeyId } = await createBusyMember();
      await visitor.visit(member, '/dashboard');
      await page.getByRole('link', { name: 'View keys' }).click();
      await page.waitForURL(/\/dashboard\/keys\?.*state=expiring/);
      await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('link', { name: 'Search indexer' }).click();
      await page.waitForURL(`**/dashboard/keys/${apiKeyId}`);
      const current = page.getByRole('navigation').locator('[aria-current="page"]');
      expect(await current.allTextContents()).toEqual(['API keys']);
    }),
  );

  it(
    'should lead to keys that removed members know, to rotate them together',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const owner = await createMember(service);
      const grace = await createColleague(service, owner, 'Grace Hopper');
      for (const name of ['Search indexer', 'Mail classifier']) await createApiKey(service, grace, name);
      await createApiKey(service, owner, 'Of the owner');
      await removeMember(service, grace, owner);
      await visitor.visit(owner, '/dashboard');
      const attention = page.getByRole('region', { name: 'Needs attention' });
      await expect(attention.getByText('2 keys have secrets that removed members know')).toBeVisible();
      await expect(attention.getByRole('link', { name: 'Search indexer' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await attention.getByRole('link', { name: 'View keys' }).click();
      await page.waitForURL(/state=known-to-former-members/);
      await expect(page.getByText('1–2 of 2')).toBeVisible();
      const state = page.getByRole('combobox', { name: 'State' });
      expect(await state.locator('option:checked').textContent()).toBe('Known to removed members');
      for (const name of ['Search indexer', 'Mail classifier']) {
        await expect(
          page.getByRole('row').filter({ hasText: name }).getByText('Known to removed members'),
        ).toBeVisible();
      }
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate 2 keys' });
      await expect(dialog.getByText(/^Removed members or deleted service accounts can use these keys/)).toBeVisible();
      await dialog.getByLabel('Revoke the current secrets').selectOption('0');
      await dialog.getByRole('button', { name: 'Rotate keys' }).click();
      await expect(page.getByRole('region', { name: 'Your new keys' })).toBeFocused();
      const { body } = await call(service.url, 'GET /api-keys?state=known-to-former-members', { token: owner.token });
      expect(body).toMatchObject({ total: 0 });
    }),
  );

  it(
    'should say which limits are reached already',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { member, apiKeyId } = await createBusyMember();
      const { organizationId } = member;
      await setLimits(service, { organizationId }, [{ metric: 'cost', per: 'month', max: '1500000000' }]);
      await setLimits(service, { keyId: apiKeyId }, [{ metric: 'requests', per: 'month', max: 10 }]);
      const use =
        'update limit_counters set level = $2::bigint, charged = $2::bigint, level_at = now() where owner_id = $1';
      await service.query(use, [organizationId, 2_000_000_000]);
      await service.query(use, [apiKeyId, 36]);
      await visitor.visit(member, '/dashboard');
      await expect(page.getByText('Over the budget of US$1.50')).toBeVisible();
      await expect(page.getByText(/^Requests are rejected until 1\s[A-Z]/)).toBeVisible();
      expect(await page.getByText('Forecast').count()).toBe(0);
      const lines = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
      await expect(lines.first().getByText("The organization's budget of US$1.50 per month is used up")).toBeVisible();
      await expect(lines.first().getByRole('link', { name: 'View all limits' })).toBeVisible();
      const key = lines.filter({ hasText: '1 key has used 80% of a budget or more' });
      await expect(key.getByText('Requests beyond a budget are rejected. Raise the budget')).toBeVisible();
      await expect(key.getByText('budget used up')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should say which budgets of the organization are nearly used up',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member } = await createBusyMember();
      await dashboard.service.query(
        'update limit_counters set level = $2::bigint, charged = $2::bigint, level_at = now() where owner_id = $1',
        [member.organizationId, 23_300_000_000],
      );
      await visitor.visit(member, '/dashboard');
      const lines = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
      await expect(lines.first().getByText('The organization has used 93.2% of its budget of US$25.00')).toBeVisible();
      await expect(lines.first().getByRole('link', { name: 'View all limits' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should fit a narrow window, and say that nothing needs attention',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard');
      await expect(page.getByText('Nothing needs attention')).toBeVisible();
      await expect(page.getByText('Checked: keys, upstreams, webhooks and members.')).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );

  it(
    'should have a checklist that completes itself',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await visitor.visit(member, '/dashboard');
      const steps = page.getByRole('region', { name: 'Get started' });
      await expect(steps.getByText('1 of 5 done')).toBeVisible();
      await createApiKey(dashboard.service, member);
      await page.reload();
      await expect(steps.getByText('2 of 5 done')).toBeVisible();
      const step = steps.getByRole('listitem').filter({ hasText: 'Create an API key' });
      await expect(step.getByRole('img', { name: 'Done' })).toBeVisible();
    }),
  );

  it(
    'should hide the checklist for good',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard');
      await page.getByRole('button', { name: 'Hide the steps' }).click();
      await page.reload();
      await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Get started' })).toBeHidden();
    }),
  );

  it(
    'should show a member without permissions only what they may see',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service, { permissions: [] }), '/dashboard');
      await expect(page.getByText('Checked: upstreams.')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Usage' })).toBeHidden();
      await expect(page.getByRole('region', { name: 'Latest changes' })).toBeHidden();
      const groups = page.getByRole('navigation').getByRole('group');
      expect(await groups.filter({ hasText: 'Members' }).count()).toBe(0);
    }),
  );
});
