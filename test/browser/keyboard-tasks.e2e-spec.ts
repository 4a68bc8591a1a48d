import { createApiKey } from '../factories/api-keys.js';
import { createColleague, createMember } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { openDashboard } from './setup/dashboard.js';
import { tabTo, tabToAndPress } from './setup/keyboard.js';
import { readTable } from './setup/usage.js';

const dashboard = openDashboard();

describe('Without a pointer, a user', () => {
  it(
    'should create a key, limit it, and revoke it as leaked',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await visitor.visit(member, '/dashboard');
      await tabToAndPress(page, page.getByRole('link', { name: 'Create an API key' }), 'Enter');
      await tabToAndPress(page, page.getByRole('button', { name: 'Create your first key' }), 'Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
      await page.keyboard.type('Invoice reader');
      await page.keyboard.press('Enter');
      await tabToAndPress(page, dialog.getByRole('checkbox', { name: "I've saved this key" }), 'Space');
      await tabToAndPress(page, dialog.getByRole('button', { name: 'Done' }), 'Enter');
      await dialog.waitFor({ state: 'hidden' });

      const actions = page.getByRole('button', { name: 'Actions for Invoice reader' });
      await tabToAndPress(page, actions, 'Enter');
      await expect(page.getByRole('menuitem', { name: 'Details' })).toBeFocused();
      for (let item = 0; item < 2; item += 1) await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('menuitem', { name: 'Limits and restrictions' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(dialog.getByRole('button', { name: 'Add limit' })).toBeFocused();
      await page.keyboard.press('Enter');
      await page.keyboard.type('250');
      await tabToAndPress(page, dialog.getByRole('button', { name: /^Save/ }), 'Enter');
      await dialog.waitFor({ state: 'hidden' });
      const limits = await dashboard.service.query(`select limits from api_keys where name = 'Invoice reader'`);
      expect(limits).toEqual([{ limits: [expect.objectContaining({ max: 250 })] }]);

      await expect(actions).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('menuitem', { name: 'Details' })).toBeFocused();
      // To the last item but one.
      for (let item = 0; item < 2; item += 1) await page.keyboard.press('ArrowUp');
      await expect(page.getByRole('menuitem', { name: 'Report leak' })).toBeFocused();
      await page.keyboard.press('Enter');
      await tabToAndPress(page, dialog.getByRole('button', { name: 'Report and disable' }), 'Enter');
      await expect(page.getByText('This key leaked. It is disabled.')).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: 'Invoice reader' })).toBeFocused();
    }),
  );

  it(
    'should find out who caused the cost of a month, and export it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { organizationId } = member;
      const { id: apiKeyId } = await createApiKey(dashboard.service, member, 'Search indexer');
      await recordUsageAt(dashboard.service, new Date().toISOString(), [
        { organizationId, apiKeyId, model: 'a-model' },
      ]);
      await visitor.visit(member, '/dashboard');
      await page.keyboard.press('ControlOrMeta+K');
      await expect(page.getByRole('combobox', { name: /^Search pages/ })).toBeFocused();
      await page.keyboard.type('Usage');
      await expect(page.getByRole('option', { name: 'Usage', selected: true })).toBeVisible();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard/usage**');
      await tabTo(page, page.getByRole('radio', { name: '7 days' }));
      for (let option = 0; option < 3; option += 1) await page.keyboard.press('ArrowRight');
      await page.waitForURL(/month=/);
      await tabTo(page, page.getByRole('combobox', { name: 'Split by' }));
      await page.keyboard.type('Split by person');
      await page.waitForURL(/groupBy=creator/);
      await tabToAndPress(page, page.getByRole('button', { name: 'Show table' }), 'Enter');
      const [header] = await readTable(page, 'Requests');
      expect(header?.join(' ')).toContain('A member');
      await page.getByRole('heading', { level: 1 }).focus();
      await tabTo(page, page.getByRole('button', { name: 'Export CSV' }));
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      expect(download.suggestedFilename()).toMatch(/^usage-/);
    }),
  );

  it(
    'should remove a member with their keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const owner = await createMember(dashboard.service);
      const other = await createColleague(dashboard.service, owner, 'Grace Hopper');
      const key = await createApiKey(dashboard.service, other, 'Search indexer');
      await visitor.visit(owner, '/dashboard/members');
      await tabToAndPress(page, page.getByRole('button', { name: 'Remove Grace Hopper' }), 'Enter');
      const dialog = page.getByRole('dialog');
      await tabTo(page, dialog.getByRole('radio', { name: 'Keep them working' }));
      for (let option = 0; option < 2; option += 1) await page.keyboard.press('ArrowDown');
      await expect(dialog.getByRole('radio', { name: /^Delete them/, checked: true })).toBeVisible();
      await tabTo(page, dialog.getByRole('textbox'));
      await page.keyboard.type('Grace Hopper');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      const path = `GET /api-keys/${key.id}` as const;
      expect(await call(dashboard.service.url, path, { token: owner.token })).toMatchObject({ status: 404 });
      await expect(page.getByText('Grace Hopper', { exact: true })).toBeHidden();
    }),
  );
});
