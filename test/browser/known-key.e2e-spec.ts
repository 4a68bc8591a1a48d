import { createApiKey } from '../factories/api-keys.js';
import { createColleague, createMember, removeMember } from '../factories/organizations.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

describe('The page of a key whose secret a removed member knows', () => {
  it(
    'should name them, warn before a rotation, and keep warning until the previous secret is revoked',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const owner = await createMember(service);
      const grace = await createColleague(service, owner, 'Grace Hopper');
      const { id } = await createApiKey(service, grace, 'Search indexer');
      await removeMember(service, grace, owner);
      await visitor.visit(owner, `/dashboard/keys/${id}`);
      const warning = page.getByRole('status').filter({ hasText: 'Grace Hopper, who is no longer a member, knows' });
      await expect(warning.getByText('Rotate the key')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);

      await page.getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate key' });
      await expect(dialog.getByText(/^Grace Hopper, .* can use the current secret until it's revoked/)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Rotate key' }).click();
      await expect(page.getByRole('region', { name: 'Your new key' })).toBeFocused();

      await page.goto(`/dashboard/keys/${id}`);
      const previous = page.getByRole('status').filter({ hasText: 'Previous secret' });
      await expect(previous.getByText('Grace Hopper, who is no longer a member, knows it.')).toBeVisible();
      await expect(page.getByText('knows the secret of this key')).toBeHidden();
      await previous.getByRole('button', { name: 'Revoke now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke now' }).click();
      await expect(page.getByText('Grace Hopper, who is no longer a member')).toBeHidden();
    }, narrowWindow),
  );
});
