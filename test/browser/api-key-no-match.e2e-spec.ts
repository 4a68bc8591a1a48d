import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('A search for keys by a name that none has', () => {
  it(
    'should offer the keys with such a tag, and those of creators with such a name, regardless of other filters',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      await service.query(`update users set name = 'Prod Admin' where id = $1`, [member.userId]);
      await createRestrictedKey(service, member, { name: 'Mail classifier', tags: ['production'] });
      await visitor.visit(member, '/dashboard/keys?name=Prod&state=expired');
      const offers = page.getByRole('group', { name: 'Other filters' }).getByRole('button');
      await expect(offers.nth(1)).toBeVisible();
      expect(await offers.allInnerTexts()).toEqual(['Keys with tag production', 'Keys created by Prod Admin']);
      await offers.first().click();
      await page.waitForURL('**/dashboard/keys?tag=production');
      await expect(page.getByRole('link', { name: 'Mail classifier' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'API keys' })).toBeFocused();

      await page.goto('/dashboard/keys?name=prod');
      await offers.nth(1).click();
      await page.waitForURL(`**/dashboard/keys?creatorId=${member.userId}`);
      await expect(page.getByText('1–1 of 1')).toBeVisible();
    }),
  );
});
