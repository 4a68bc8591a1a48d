import { createApiKey } from '../factories/api-keys.js';
import { chooseAction, confirmSaved, embed, expire, readNewKey, rowOf, signInNewMember } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('Rotating an API key', () => {
  it(
    'should keep both secrets working for a custom period of up to 7 days',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(
        dashboard.service,
        await signInNewMember(dashboard, visitor),
        'Search indexer',
      );
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Rotate');
      await page.getByRole('combobox', { name: 'Revoke the current secret' }).selectOption('After a custom period');
      await page.getByRole('textbox', { name: 'Duration' }).fill('8');
      await page.getByRole('combobox', { name: 'Unit' }).selectOption('days');
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await expect(page.getByText('Use at most 7 days.')).toBeVisible();
      await page.getByRole('textbox', { name: 'Duration' }).fill('2');
      await page.getByRole('button', { name: 'Rotate key' }).click();
      const rotated = await readNewKey(page);
      await expect(page.getByText(/^The previous secret keeps working until \d+ \w+ \d{4}, /)).toBeVisible();
      expect([await embed(dashboard.service, key), await embed(dashboard.service, rotated)]).toEqual([200, 200]);
      await confirmSaved(page);
      const hint = rowOf(page, 'Search indexer').getByText(`${rotated.slice(0, 8)}…`);
      await expect(hint.filter({ visible: true })).toBeVisible();
    }),
  );

  it(
    'should say when the new secret expires',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      await createApiKey(dashboard.service, member, 'Search indexer', new Date(Date.now() + 600_000));
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Rotate');
      await expect(page.getByText(/^The new secret also expires on \d+ \w+ \d{4}, /)).toBeVisible();
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await readNewKey(page);
      await expect(page.getByText(/The new secret expires on \d+ \w+ \d{4}, /)).toBeVisible();
    }),
  );

  it(
    'should revoke the previous secret immediately if requested',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(
        dashboard.service,
        await signInNewMember(dashboard, visitor),
        'Search indexer',
      );
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Rotate');
      await page.getByRole('combobox', { name: 'Revoke the current secret' }).selectOption('Immediately');
      await expect(page.getByText('Anything using the current secret will stop working immediately.')).toBeVisible();
      await page.getByRole('button', { name: 'Rotate key' }).click();
      const rotated = await readNewKey(page);
      await expect(page.getByText('The previous secret no longer works.')).toBeVisible();
      expect([await embed(dashboard.service, key), await embed(dashboard.service, rotated)]).toEqual([401, 200]);
    }),
  );

  it(
    'should say that the new secret of a disabled key only works once enabled',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { id } = await createApiKey(service, await signInNewMember(dashboard, visitor), 'Search indexer');
      await service.query('update api_keys set enabled = false where id = $1', [id]);
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Rotate');
      await page.getByRole('button', { name: 'Rotate key' }).click();
      const rotated = await readNewKey(page);
      await expect(
        page.getByText(/^This key is disabled\. Once enabled, it works, and so does the previous secret until .+\.$/),
      ).toBeVisible();
      expect(await embed(service, rotated)).toBe(403);
    }),
  );

  it(
    'should warn before it revokes a previous secret that still works, even if the response of a rotation was lost',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { key } = await createApiKey(service, await signInNewMember(dashboard, visitor), 'Search indexer');
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Rotate');
      const dialog = page.getByRole('dialog', { name: 'Rotate key' });
      const warning = dialog
        .getByRole('status')
        .getByText(
          new RegExp(`^The previous secret ${key.slice(0, 8)}… works until .+ Rotating again revokes it immediately.$`),
        );
      await dialog.getByRole('button', { name: 'Rotate key' }).waitFor();
      expect(await warning.count()).toBe(0);
      await visitor.context.route('**/rotate', async (route) => {
        await route.fetch();
        await route.abort();
      });
      visitor.problems.expect(/No response.*rotate/);
      await dialog.getByRole('button', { name: 'Rotate key' }).click();
      await expect(dialog.getByText("Can't reach Keycard.")).toBeVisible();
      await expect(warning).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await embed(service, key)).toBe(200);
      await visitor.context.unrouteAll();
      await dialog.getByRole('button', { name: 'Rotate key' }).click();
      await readNewKey(page);
      expect(await embed(service, key)).toBe(401);
    }),
  );

  it(
    'should be disabled with an explanation if the key has expired',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createApiKey(dashboard.service, await signInNewMember(dashboard, visitor), 'Trial');
      await expire(dashboard.service, id);
      await page.goto('/dashboard/keys');
      await expect(rowOf(page, 'Trial').getByText('Expired')).toBeVisible();
      await page.getByRole('button', { name: 'Actions for Trial' }).click();
      await expect(page.getByText("You can't rotate an expired key.")).toBeVisible();
      expect(await page.getByRole('menuitem', { name: 'Rotate' }).isDisabled()).toBe(true);
    }),
  );
});
