import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { createServiceAccount } from '../factories/service-accounts.js';
import { openDashboard } from './setup/dashboard.js';
import { holdBack } from './setup/hold-back.js';

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
    'should open the first result by Enter, even if it is pressed before a slow server has found it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const { id } = await createRestrictedKey(service, member, { name: 'Staging', tags: ['env:staging'] });
      await visitor.visit(member, '/dashboard/roles');
      await page.keyboard.press('Control+k');
      // Tags are found at once from here on.
      await page.keyboard.type('env:');
      await expect(page.getByRole('option', { name: 'Keys with tag env:staging' })).toBeVisible();
      const { release, requested } = await holdBack(page, '/api-keys');
      await page.getByRole('combobox', { name: 'Search pages' }).fill('staging');
      await page.keyboard.press('Enter');
      await requested;
      release();
      await page.waitForURL(`**/dashboard/keys/${id}`);
    }),
  );

  it(
    'should find service accounts by name, and open their page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, name } = await createServiceAccount(dashboard.service, member);
      await visitor.visit(member, '/dashboard/roles');
      await page.keyboard.press('Control+k');
      await page.keyboard.type(name.slice(0, 6).toLowerCase());
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/members/service-accounts/${id}`);
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
