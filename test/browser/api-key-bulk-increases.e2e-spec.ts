import type { Locator, Page } from 'playwright-core';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { LimitDto, LimitStateDto } from '../../src/limits/dto/limit.dto.js';
import { pricedModels } from '../factories/models.js';
import type { Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openBulkChanges, selectAndChange } from './setup/bulk-changes.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard({
  config: { models: pricedModels({ perMillionTokens: { input: '2' } }, { perThousandPages: '10' }), currency: 'EUR' },
});

const budget: LimitDto = { metric: 'cost', per: 'month', max: '10', notifyAt: [80] };
const running: LimitDto = { metric: 'concurrency', max: 5 };
const until = '2998-12-31T23:00:00.000Z';
const earlier = { by: '1', until };

const chooseIncrease = (page: Page) => page.getByText('Increase for a while', { exact: true }).click();
const fill = async (dialog: Locator, by: string, time = '2999-01-01T00:00') => {
  await dialog.getByLabel('Increase by').fill(by);
  await dialog.getByLabel('Until').fill(time);
};

async function limitsOf({ token }: Member, id = ''): Promise<LimitStateDto[]> {
  const { body } = await call(dashboard.service.url, `GET /api-keys/${id}`, { token });
  return (body as ApiKeyDetailsDto).limits;
}

describe('A limit of several API keys', () => {
  const keys = [
    { name: 'Small', limits: [budget, running] },
    { name: 'Large', limits: [{ ...budget, max: '60', increase: earlier }] },
    { name: 'Unlimited' },
  ];

  it(
    'should be increased for those that have it, and keep the maximum of each, as the dialog announces',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, ids, dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      await chooseIncrease(page);
      const limit = dialog.getByRole('combobox', { name: 'Limit' });
      expect(await limit.locator('option').allTextContents()).toEqual([
        'Cost per month (2 keys)',
        'Concurrent requests (1 key)',
      ]);
      await expect(
        dialog.getByText('2 keys have this limit (€10.00 to €60.00 per month). 1 other key has no such limit.'),
      ).toBeVisible();
      await fill(dialog, '20');
      await expect(
        dialog.getByText(
          /^Adds €20\.00 to the limits of 2 keys \(€10\.00 to €60\.00 per month\) until 1 Jan 2999, 00:00 CET\./,
        ),
      ).toBeVisible();
      await expect(dialog.getByRole('status').getByText('Replaces the increase of 1 key.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Increase limits' }).click();
      await expect(page.getByText('2 keys updated.')).toBeVisible();
      const increase = { by: '20', until };
      expect(await limitsOf(member, ids[0])).toMatchObject([{ max: '10', notifyAt: [80], increase }, running]);
      expect(await limitsOf(member, ids[1])).toMatchObject([{ max: '60', notifyAt: [80], increase }]);
      expect(await limitsOf(member, ids[2])).toEqual([]);
    }),
  );

  it(
    'should lose its increases',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, ids, dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      await chooseIncrease(page);
      const removal = dialog.getByRole('checkbox', { name: 'Remove the current increase instead' });
      await removal.check();
      await expect(
        dialog.getByText('Removes the increase of 1 key immediately. Its limit is €60.00 per month again.'),
      ).toBeVisible();
      await expect(dialog.getByLabel('Increase by')).toBeHidden();
      await dialog.getByRole('combobox', { name: 'Limit' }).selectOption('Concurrent requests (1 key)');
      await expect(removal).toBeHidden();
      await expect(dialog.getByLabel('Increase by')).toBeVisible();
      await dialog.getByRole('combobox', { name: 'Limit' }).selectOption('Cost per month (2 keys)');
      await removal.check();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Remove increase' }).click();
      await expect(page.getByText('1 key updated.')).toBeVisible();
      expect((await limitsOf(member, ids[1]))[0]).not.toHaveProperty('increase');
      await dialog.waitFor({ state: 'detached' });
      await selectAndChange(visitor, 'Limits', keys.length);
      await chooseIncrease(page);
      await expect(dialog.getByLabel('Increase by')).toBeVisible();
      await expect(removal).toBeHidden();
    }),
  );

  it(
    'should be increased only by a valid amount, until a time in the future',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, ids, dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      await chooseIncrease(page);
      await dialog.getByRole('combobox', { name: 'Limit' }).selectOption('Concurrent requests (1 key)');
      await fill(dialog, '2000000', '2020-01-01T00:00');
      await dialog.getByRole('button', { name: 'Increase limits' }).click();
      await expect(dialog.getByText('Enter a whole number from 1 to 1,000,000.')).toBeVisible();
      await expect(dialog.getByText('Choose a time in the future.')).toBeVisible();
      await expect(dialog.getByLabel('Increase by')).toBeFocused();
      await page.getByText('Add or change', { exact: true }).click();
      await expect(dialog.getByText('Choose a time in the future.')).toBeHidden();
      await chooseIncrease(page);
      await fill(dialog, '3');
      await expect(
        dialog.getByText(
          /^Adds 3 concurrent requests to the limit of 1 key \(5 concurrent requests\) until .* 2 other keys have/,
        ),
      ).toBeVisible();
      await dialog.getByRole('button', { name: 'Increase limits' }).click();
      await expect(page.getByText('1 key updated.')).toBeVisible();
      expect((await limitsOf(member, ids[0]))[1]).toMatchObject({ max: 5, increase: { by: 3, until }, remaining: 8 });
    }),
  );

  it(
    'should be increased only if one of the keys has a limit, in the window of a phone too',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { dialog } = await openBulkChanges(dashboard, visitor, 'Limits', [{ name: 'First' }, { name: 'Second' }]);
      await expect(dialog.getByText('None of these keys has a limit to increase.')).toBeVisible();
      expect(await dialog.getByRole('radio', { name: 'Increase for a while' }).isDisabled()).toBe(true);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should fit the window of a phone while it is increased',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { dialog } = await openBulkChanges(dashboard, visitor, 'Limits', keys);
      await chooseIncrease(page);
      await fill(dialog, '20');
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});
