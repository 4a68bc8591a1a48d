import { createMember } from '../factories/organizations.js';
import { waitFor } from '../setup/wait-for.js';
import { confirmSaved, createKey, openKeys, rowOf, textOf } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('The Create key dialog', () => {
  it(
    'should validate the name like the service, and trim it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByRole('textbox', { name: 'Name' });
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(dialog.getByText('Use at least 2 characters.')).toBeVisible();
      await name.fill('x'.repeat(101));
      await expect(dialog.getByText('Use at most 100 characters.')).toBeVisible();
      await createKey(page, ' 🔑🔑 ');
      await confirmSaved(page);
      await expect(rowOf(page, '🔑🔑')).toBeVisible();
    }),
  );

  it(
    'should take tags without opening the limits and restrictions, also while a tag is invalid',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).click();
      const dialog = page.getByRole('dialog');
      const tags = dialog.getByLabel('Tags', { exact: true });
      await tags.fill('x'.repeat(51));
      await tags.press('Enter');
      await expect(dialog.getByText('Use at most 50 characters for a tag.')).toBeVisible();
      const section = dialog.getByRole('button', { name: 'Limits and restrictions' });
      expect(await section.getAttribute('aria-expanded')).toBe('false');
      await tags.press('Backspace');
      for (const tag of ['Production', 'search']) {
        await tags.fill(tag);
        await tags.press('Enter');
      }
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await section.click();
      await expect(dialog.getByLabel('Note', { exact: true })).toBeVisible();
      expect(await dialog.getByLabel('Tags', { exact: true }).count()).toBe(1);
      await createKey(page, 'Search indexer');
      await confirmSaved(page);
      await expect(rowOf(page, 'Search indexer').getByText('production')).toBeVisible();
      await expect(rowOf(page, 'Search indexer').getByText('search', { exact: true })).toBeVisible();
    }),
  );

  it(
    'should reset the search and page so that the list shows the new key',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await visitor.signInAs(member);
      await page.goto('/dashboard/keys?name=billing&page=3');
      await page.getByRole('button', { name: 'Create key' }).click();
      await createKey(page, 'Search indexer');
      await confirmSaved(page);
      await expect(rowOf(page, 'Search indexer')).toBeVisible();
      expect(new URL(page.url()).search).toBe('');
    }),
  );

  it(
    'should limit the expiry to what the organization allows',
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
      await page.getByRole('button', { name: 'Create your first key' }).click();
      const expires = page.getByRole('combobox', { name: 'Expires' });
      await expect(page.getByText('Keys in this organization must expire within 60 days.')).toBeVisible();
      expect(await expires.getByRole('option').allInnerTexts()).toEqual(['30 days', '60 days', 'Custom date']);

      // If the limit is lowered in the meantime, the field shows the service's error.
      await setLimit(10);
      await page.getByRole('textbox', { name: 'Name' }).fill('Trial');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await expect(
        page.getByText(/^Must be at most .+ Keys in this organization expire within 10 days\.$/),
      ).toBeVisible();
      expect(await expires.getAttribute('aria-invalid')).toBe('true');

      await setLimit(30);
      await expires.selectOption('30 days');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await confirmSaved(page);
      expect(await textOf(page, 'Trial', 'Expires')).toBe('in 30 days');
    }),
  );

  it(
    'should keep an incomplete date while time passes',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.clock.install();
      await page.getByRole('button', { name: 'Create your first key' }).click();
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('Custom date');
      const date = page.getByLabel('Date and time');
      await date.press('1');
      const isIncomplete = () => date.evaluate((field: { validity: { badInput: boolean } }) => field.validity.badInput);
      await waitFor(isIncomplete);
      await page.clock.fastForward(180_000);
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('Enter both a date and a time.')).toBeVisible();
      expect(await isIncomplete()).toBe(true);
    }),
  );

  it(
    "should interpret a custom date in the user's time zone",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).click();
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('Custom date');
      await page.getByLabel('Date and time').fill('2020-01-01T10:00');
      await page.getByRole('textbox', { name: 'Name' }).fill('Trial');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('Choose a time in the future.')).toBeVisible();
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
