import { createAccount, rightPassword } from '../factories/accounts.js';
import { createResetToken } from '../factories/reset-tokens.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const newPassword = `${rightPassword}, changed`;
const dashboard = openDashboard();

describe('The password reset page', () => {
  it(
    'should set a password that the user can sign in with, even after a reload',
    dashboard.test(async ({ page }) => {
      const { email } = await createAccount(dashboard.service);
      await page.goto(`/reset-password#token=${await createResetToken(dashboard.service, email)}`);
      await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
      expect(page.url()).not.toContain('token');
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page.getByRole('heading', { name: 'Password set' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeFocused();
      expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain('linkToken');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Sign in' }).click();
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
      await page.getByLabel('Password', { exact: true }).and(page.locator(':focus')).fill(newPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    }, narrowWindow),
  );

  it(
    'should show an error if the link is no longer valid',
    dashboard.test(async ({ page }) => {
      await page.goto('/reset-password#token=wrong');
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page.getByText('This password reset link is not valid')).toBeVisible();
    }),
  );

  it(
    'should ask for the link if the token is missing',
    dashboard.test(async ({ page }) => {
      await page.goto('/reset-password');
      await expect(page.getByText('Open the reset link you received.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
