import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('The search', () => {
  it(
    'should offer the keys with a tag, the same tag before others that contain the text',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      await createRestrictedKey(service, member, { name: 'Mail classifier', tags: ['env:production', 'production'] });
      await createRestrictedKey(service, member, { name: 'Search indexer', tags: ['env:production'] });
      await visitor.visit(member, '/dashboard/roles');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search pages' }).fill('Production');
      const found = page.getByRole('group', { name: 'Tags' }).getByRole('option');
      await expect(found.first()).toBeVisible();
      expect(await found.allInnerTexts()).toEqual(['Keys with tag production', 'Keys with tag env:production']);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard/keys?tag=production');
      await expect(page.getByText('1–1 of 1')).toBeVisible();
    }),
  );

  it(
    'should not look for tags without the permission to see keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const owner = await createMember(service);
      await createRestrictedKey(service, owner, { name: 'Mail classifier', tags: ['production'] });
      const { organizationId } = owner;
      await visitor.visit(
        await createMember(service, { organizationId, permissions: ['get-roles'] }),
        '/dashboard/roles',
      );
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search pages' }).fill('production');
      await expect(page.getByText('Nothing found')).toBeVisible();
    }),
  );
});
