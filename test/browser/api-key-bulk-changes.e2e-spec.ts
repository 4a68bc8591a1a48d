import type { Locator, Page } from 'playwright-core';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { LimitDto } from '../../src/limits/dto/limit.dto.js';
import { maxLimits } from '../../src/common/rules/limit-rules.js';
import type { Member } from '../factories/organizations.js';
import { recordUsage } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openBulkChanges, selectAndChange } from './setup/bulk-changes.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

const perDay: LimitDto = { metric: 'requests', per: 'day', max: 1000, notifyAt: [80] };
const running: LimitDto = { metric: 'concurrency', max: 5 };

async function addLimit(dialog: Locator, max: number, metric: string, per: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Add limit' }).click();
  await dialog.getByRole('textbox', { name: 'Maximum' }).fill(String(max));
  await dialog.getByRole('combobox', { name: 'What to count' }).selectOption(metric);
  await dialog.getByRole('combobox', { name: 'Period' }).selectOption(per);
}

const replaceAll = (page: Page) => page.getByText('Replace all', { exact: true }).click();

async function limitsOf({ token }: Member, id = ''): Promise<string[]> {
  const { body } = await call(dashboard.service.url, `GET /api-keys/${id}`, { token });
  return (body as ApiKeyDetailsDto).limits.map(({ metric, per = '', max }) => `${metric} ${per} ${max}`);
}

describe('The limits of several API keys', () => {
  it(
    'should be added to the current ones of each key, which are in view',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const keys = [{ name: 'Limited', limits: [perDay, running] }, { name: 'Unlimited' }];
      const { member, ids, dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      const itemOf = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
      await expect(
        itemOf('Limited').getByText('1,000 requests per day, alerts at 80% · 5 concurrent requests'),
      ).toBeVisible();
      await expect(itemOf('Unlimited').getByText('No limits')).toBeVisible();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog.getByRole('alert').getByText('Add at least one limit.')).toBeVisible();
      await addLimit(dialog, 500, 'requests', 'day');
      await expect(dialog.getByText('Replaces a current limit of 1 key.')).toBeVisible();
      await expect(dialog.getByRole('alert')).toBeHidden();
      await dialog.getByRole('combobox', { name: 'What to count' }).selectOption('tokens');
      await expect(dialog.getByText('Replaces a current limit')).toBeHidden();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('2 keys updated.')).toBeVisible();
      expect(await limitsOf(member, ids[0])).toEqual(['requests day 1000', 'tokens day 500', 'concurrency  5']);
      expect(await limitsOf(member, ids[1])).toEqual(['tokens day 500']);
    }),
  );

  it(
    'should be replaced with a warning about the alerts that a key loses',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const budget: LimitDto = { metric: 'requests', per: 'month', max: 2000, notifyAt: [80] };
      const { dialog } = await openBulkChanges(dashboard, visitor, 'Limits', [
        { name: 'Billing bot', limits: [budget] },
        { name: 'New' },
      ]);
      await expect(dialog.getByText('2,000 requests per month, alerts at 80%')).toBeVisible();
      await addLimit(dialog, 1500, 'requests', 'month');
      const warning = dialog.getByRole('status').filter({ hasText: 'Billing bot loses its alert at 80%.' });
      await expect(warning).toBeVisible();
      await dialog.getByRole('button', { name: /^Options of/ }).click();
      await dialog.getByRole('combobox', { name: 'Alerts' }).fill('80, 90');
      await page.keyboard.press('Tab');
      await expect(warning).toBeHidden();
      await expect(dialog.getByText('90', { exact: true })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should be replaced or removed with a warning about those that keys lose',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const keys = [
        { name: 'First', limits: [perDay] },
        { name: 'Second', limits: [perDay, running] },
      ];
      const { member, ids, dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      await replaceAll(page);
      await expect(dialog.getByText('Removes current limits of 2 keys.')).toBeVisible();
      await expect(dialog.getByRole('button', { name: 'Remove limits' })).toBeVisible();
      await addLimit(dialog, 500, 'requests', 'day');
      await expect(dialog.getByText('Removes current limits of 1 key.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('2 keys updated.')).toBeVisible();
      expect(await Promise.all(ids.map((id) => limitsOf(member, id)))).toEqual([
        ['requests day 500'],
        ['requests day 500'],
      ]);

      await selectAndChange(visitor, 'Limits', 2);
      await expect(dialog.getByText('500 requests per day').nth(1)).toBeVisible();
      await replaceAll(page);
      await dialog.getByRole('button', { name: 'Remove limits' }).click();
      await expect(page.getByText('2 keys updated.').last()).toBeVisible();
      await dialog.waitFor({ state: 'detached' });
      expect(await Promise.all(ids.map((id) => limitsOf(member, id)))).toEqual([[], []]);
    }),
  );

  it(
    'should warn of keys that have already used a budget up, whether they had it or not',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const tokens: LimitDto = { metric: 'tokens', per: 'month', max: 1000 };
      const keys = [{ name: 'Limited', limits: [tokens] }, { name: 'Unlimited' }, { name: 'Idle' }];
      const { member, ids, dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      const { organizationId } = member;
      const used = ids.slice(0, 2).map((apiKeyId, index) => ({ apiKeyId, inputTokens: 40 + index, organizationId }));
      await recordUsage(dashboard.service, used);
      await addLimit(dialog, 41, 'tokens', 'month');
      await expect(
        dialog.getByText(
          '1 key has already used this much this month: Unlimited. Its requests are rejected until the budget resets.',
        ),
      ).toBeVisible();
      await dialog.getByRole('textbox', { name: 'Maximum' }).fill('40');
      await expect(dialog.getByText('2 keys have already used this much this month:')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('textbox', { name: 'Maximum' }).fill('42');
      await expect(dialog.getByText('already used this much')).toBeHidden();
    }),
  );

  it(
    'should all stay if one key would have too many, and fit the window of a phone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const limits = Array.from({ length: maxLimits }, (_, index) => ({ ...perDay, models: [`model-${index}`] }));
      const keys = [{ name: 'First' }, { name: 'Full', limits }];
      const { member, ids, dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      await addLimit(dialog, 500, 'requests', 'day');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog.getByText('Full would have 31 limits. A key has at most 30.')).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await limitsOf(member, ids[0])).toEqual([]);
    }, narrowWindow),
  );
});

describe('The tags of several API keys', () => {
  it(
    'should be chosen without their suggestions covering the button that saves them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const tags = Array.from({ length: 10 }, (_, index) => `team-${index}`);
      const { member, dialog } = await openBulkChanges(dashboard, visitor, 'Tags', [
        { name: 'First', tags },
        { name: 'Second' },
      ]);
      const suggestions = page.getByRole('listbox');
      const save = dialog.getByRole('button', { name: 'Save' });
      await expect(dialog.getByLabel('Add tags')).toBeFocused();
      await expect(dialog.getByRole('listitem').getByText('Second')).toBeVisible();
      expect(await suggestions.count()).toBe(0);
      for (const field of ['Add tags', 'Remove tags']) {
        await dialog.getByLabel(field).click();
        await suggestions.getByRole('option', { name: 'team-7' }).click();
        await expect(suggestions).toBeVisible();
        const { y, height } = (await suggestions.boundingBox()) ?? { y: 0, height: Infinity };
        expect(y + height).toBeLessThan((await save.boundingBox())?.y ?? 0);
      }
      await dialog.getByLabel('Remove tags').fill('team-8');
      await expect(suggestions.getByRole('option', { name: 'team-9' })).toBeHidden();
      await save.click();
      await expect(page.getByText('2 keys updated.')).toBeVisible();
      const { body } = await call(dashboard.service.url, 'GET /api-keys?tag=team-8', { token: member.token });
      expect(body).toMatchObject({ total: 0 });
    }),
  );
});
