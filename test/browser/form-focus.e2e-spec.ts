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

describe('The texts of the playground', () => {
  it(
    'should keep the focus when one is added or removed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/playground');
      const add = page.getByRole('button', { name: 'Add text' });
      for (let number = 5; number <= 8; number += 1) {
        await add.press('Enter');
        await expect(page.getByRole('textbox', { name: `Text ${number}` })).toBeFocused();
      }
      await expect(add).toBeHidden();
      for (let count = 8; count > 2; count -= 1) {
        await page.getByRole('button', { name: 'Remove text 1' }).press('Enter');
        await expect(add).toBeFocused();
      }
      expect(await page.getByRole('button', { name: /^Remove text/ }).count()).toBe(0);
    }),
  );
});
