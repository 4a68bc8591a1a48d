import { createAccount, rightPassword } from '../factories/accounts.js';
import { createResetToken } from '../factories/reset-tokens.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const newPassword = `${rightPassword}, changed`;
const dashboard = openDashboard();

describe('The password reset page', () => {
  it(
    'should set a new password that signs in',
    dashboard.test(async ({ page }) => {
      const { email } = await createAccount(dashboard.service);
      await page.goto(`/reset-password#token=${await createResetToken(dashboard.service, email)}`);
      await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
      expect(page.url()).not.toContain('token');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('heading', { name: 'Password set' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'sign in' }).click();
      await page.getByLabel(/^E-?mail/).fill(email);
      await page.getByLabel('Password', { exact: true }).fill(newPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard/**');
    }, narrowWindow),
  );

  it(
    'should say so when the link is no longer valid',
    dashboard.test(async ({ page }) => {
      await page.goto('/reset-password#token=wrong');
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('This password reset link is not valid').waitFor();
    }),
  );

  it(
    'should ask for the full link when it has no token',
    dashboard.test(async ({ page }) => {
      await page.goto('/reset-password');
      await page.getByText('This link is incomplete. Open the full link again.').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
