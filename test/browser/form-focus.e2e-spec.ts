import { createMember, type Member } from '../factories/organizations.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

describe('After a rejected form, the focus', () => {
  it(
    'should move to the first invalid password',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/account');
      await page.getByRole('button', { name: 'Change password' }).press('Enter');
      const password = page.getByLabel('Current password', { exact: true });
      await expect(password).toBeFocused();
      expect(await password.getAttribute('aria-invalid')).toBe('true');
    }),
  );
});
