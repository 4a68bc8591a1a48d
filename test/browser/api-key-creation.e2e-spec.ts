import { createMember } from '../factories/organizations.js';
import { confirmSaved, createKey, openKeys, rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('Creating a key', () => {
  it(
    'should check the name as the service does, before it is sent',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByRole('textbox', { name: 'Name' });
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Use at least 2 characters.').waitFor();
      await name.fill('x'.repeat(101));
      await dialog.getByText('Use at most 100 characters.').waitFor();
      await createKey(page, ' 🔑🔑 ');
      await confirmSaved(page);
      await rowOf(page, '🔑🔑').waitFor();
    }),
  );

  it(
    'should show the new key in the list, whatever was searched for before',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys?name=billing&page=3');
      await page.getByRole('button', { name: 'Create key' }).click();
      await createKey(page, 'Search indexer');
      await confirmSaved(page);
      await rowOf(page, 'Search indexer').waitFor();
      expect(new URL(page.url()).search).toBe('');
    }),
  );

  it(
    'should offer no longer life than the organization allows, and say why',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const setLimit = (days: number) =>
        dashboard.service.query('update organizations set longest_key_lifetime_days = $1 where id = $2', [
          days,
          member.organizationId,
        ]);
      await setLimit(60);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const expires = page.getByRole('combobox', { name: 'Expires' });
      await page.getByText('Keys of this organization live at most 60 days.').waitFor();
      expect(await expires.getByRole('option').allInnerTexts()).toEqual([
        '30 days',
        '60 days',
        'At a time of your choice',
      ]);

      // Somebody lowers the limit meanwhile: what the service says is shown at the field.
      await setLimit(10);
      await page.getByRole('textbox', { name: 'Name' }).fill('Trial');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page
        .getByText(/^expiresAt must be at most .+ Keys in this organization expire within 10 days\.$/)
        .waitFor();
      expect(await expires.getAttribute('aria-invalid')).toBe('true');

      await setLimit(30);
      await expires.selectOption('30 days');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await confirmSaved(page);
      expect(await rowOf(page, 'Trial').getByRole('cell').nth(4).innerText()).toMatch(/^(in 30 days|next month)$/);
    }),
  );

  it(
    'should take an expiry in the zone of the reader',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('At a time of your choice');
      await page.getByLabel('Date and time').fill('2020-01-01T10:00');
      await page.getByRole('textbox', { name: 'Name' }).fill('Trial');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Choose a time in the future.').waitFor();
      await page.getByLabel('Date and time').fill('2999-07-01T10:00');
      await createKey(page, 'Trial');
      const [row] = await dashboard.service.query<{ expires_at: Date }>(
        'select expires_at from api_keys where organization_id = $1',
        [member.organizationId],
      );
      expect(row?.expires_at.toISOString()).toBe('2999-07-01T08:00:00.000Z');
    }),
  );
});
