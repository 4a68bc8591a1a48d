import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { chooseAction, confirmSaved, createKey, openKeys, rowOf, signInNewMember } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('The name of an API key', () => {
  it(
    'should be accepted, with a hint, if another key already has it in upper or lower case',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await signInNewMember(dashboard, visitor);
      const { key } = await createApiKey(service, member, 'Über indexer');
      await createApiKey(service, member, 'Über indexer 2');
      await createApiKey(service, await createMember(service), 'Foreign');
      await page.goto('/dashboard/keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      const name = dialog.getByRole('textbox', { name: 'Name' });
      const hint = dialog.getByRole('status').getByText(`The key ${key.slice(0, 8)}… already has this name.`);
      await name.fill(' u\u0308BER INDEXER ');
      await expect(hint).toBeVisible();
      expect(await name.getAttribute('aria-invalid')).not.toBe('true');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      for (const [part, filter] of [
        ['indexer', 'indexer'],
        ['Foreign', 'Foreign'],
      ] as const) {
        const found = page.waitForResponse((response) => response.url().includes(`Name=${filter}`));
        await name.fill(part);
        await hint.waitFor({ state: 'detached' });
        await found.then((response) => response.finished());
        await page.evaluate('new Promise(requestAnimationFrame)');
        expect(await dialog.getByText('already ha').count()).toBe(0);
      }
      await createKey(page, 'Über indexer');
      await confirmSaved(page);
      expect(await rowOf(page, 'Über indexer').count()).toBe(2);
    }),
  );

  it(
    'should have a hint for the same name although 100 other names contain it and sort before it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      const names = Array.from({ length: 100 }, (_, index) => `Batch ${index + 100} indexer`);
      for (const name of names) await createApiKey(dashboard.service, member, name);
      const { key } = await createApiKey(dashboard.service, member, 'Indexer');
      await page.goto('/dashboard/keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('indexer');
      await expect(
        dialog.getByRole('status').getByText(`The key ${key.slice(0, 8)}… already has this name.`),
      ).toBeVisible();
    }),
  );

  it(
    'should have a hint for a key whose creation succeeded although the response was lost',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await visitor.context.route('**/api-keys', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        await route.fetch();
        await route.abort();
      });
      visitor.problems.expect(/No response.*api-keys/);
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Search indexer');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(dialog.getByText("Can't reach Keycard.")).toBeVisible();
      await expect(dialog.getByText(/^The key kc_.{5}… already has this name\.$/)).toBeVisible();
    }),
  );

  it(
    'should have a hint for other keys while the key is renamed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      await createApiKey(dashboard.service, member, 'Search indexer');
      for (let count = 0; count < 2; count++) await createApiKey(dashboard.service, member, 'Nightly batch');
      await page.goto('/dashboard/keys');
      const found = page.waitForResponse((response) => response.url().includes('Name=Search'));
      await chooseAction(page, 'Search indexer', 'Rename');
      await found;
      const dialog = page.getByRole('dialog', { name: 'Rename key' });
      const name = dialog.getByRole('textbox', { name: 'Name' });
      await name.fill('nightly batch');
      await expect(dialog.getByRole('status').getByText('Other keys already have this name.')).toBeVisible();
      await name.fill('Search indexer');
      await dialog.getByText('Other keys already have this name.').waitFor({ state: 'detached' });
      expect(await dialog.getByText('already ha').count()).toBe(0);
      await name.fill('nightly batch');
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await expect(page.getByText('Key renamed to nightly batch.')).toBeVisible();
    }),
  );
});
