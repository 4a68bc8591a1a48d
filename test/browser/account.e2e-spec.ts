import type { Page } from 'playwright-core';
import { type Account, createAccount, rightPassword } from '../factories/accounts.js';
import { openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let account: Account;

beforeEach(async () => {
  account = await createAccount(dashboard.service);
});

const rows = (page: Page) => page.getByRole('table', { name: 'Your sessions' }).locator('tbody').getByRole('row');
const isOpen = async (token: string) => (await call(dashboard.service.url, 'GET /auth/me', { token })).status === 200;

/** Opens the page, which lists the visitor's session and the one the account was created with. */
async function openAccount(visitor: Visitor): Promise<Page> {
  const { page } = visitor;
  await visitor.signInAs(account);
  await page.goto('/dashboard/account');
  await expect(page.getByText('This device')).toBeVisible();
  return page;
}

describe('Your account', () => {
  it(
    'should change the name, and show it at once in the menu and among the members',
    dashboard.test(async (visitor) => {
      const page = await openAccount(visitor);
      const name = page.getByRole('textbox', { name: 'Name' });
      expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(account.email);
      expect(await page.getByRole('button', { name: 'Save name' }).isDisabled()).toBe(true);
      await name.fill(' a ');
      await page.getByRole('button', { name: 'Save name' }).click();
      await expect(page.getByText('Use at least 2 characters.')).toBeVisible();
      await name.fill(' Ada Lovelace ');
      await page.getByRole('button', { name: 'Save name' }).click();
      await expect(page.getByText('Name saved.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Your account: Ada Lovelace' })).toBeVisible();
      expect(await name.inputValue()).toBe('Ada Lovelace');
      await page.getByRole('link', { name: 'Members' }).click();
      await expect(page.getByRole('table').getByText('Ada Lovelace')).toBeVisible();
      await page.getByRole('button', { name: 'Your account: Ada Lovelace' }).click();
      await page.getByRole('menuitem', { name: 'Your account' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
    }),
  );
});

describe('Your sessions', () => {
  it(
    'should be ended one by one',
    dashboard.test(async (visitor) => {
      const page = await openAccount(visitor);
      expect(await rows(page).count()).toBe(2);
      await expect(rows(page).filter({ hasText: 'Chrome' }).getByText('This device')).toBeVisible();
      await rows(page)
        .getByRole('button', { name: /^Sign out ./ })
        .click();
      expect(await isOpen(account.token)).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByText('Device signed out.')).toBeVisible();
      await expect(rows(page).nth(1)).toBeHidden();
      expect(await isOpen(account.token)).toBe(false);
      expect(await page.getByRole('button', { name: 'Sign out all other devices' }).count()).toBe(0);
    }),
  );

  it(
    'should be ended together, except for the current one',
    dashboard.test(async (visitor) => {
      const { token } = await openSession(dashboard.service, account);
      const page = await openAccount(visitor);
      expect(await rows(page).count()).toBe(3);
      await page.getByRole('button', { name: 'Sign out all other devices' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out all' }).click();
      await expect(rows(page).nth(1)).toBeHidden();
      expect([await isOpen(account.token), await isOpen(token)]).toEqual([false, false]);
      await expect(page.getByText('This device')).toBeVisible();
    }),
  );

  it.each([360, 1280])(
    'should show that the current one is active now at %i pixels',
    dashboard.test(async (visitor, width: number) => {
      await visitor.page.setViewportSize({ width, height: 740 });
      await visitor.signInAs(account);
      // Sessions are used again when their access token is renewed, every few minutes.
      await dashboard.service.query(`update sessions set last_used_at = now() - interval '5 minutes'`);
      const page = await openAccount(visitor);
      const current = rows(page).filter({ hasText: 'This device' });
      await expect(current.getByText('Active now').filter({ visible: true })).toBeVisible();
      expect(await current.innerText()).not.toContain('minutes ago');
      const other = rows(page).filter({ hasNotText: 'This device' }).first();
      await expect(other.getByText('5 minutes ago').filter({ visible: true })).toBeVisible();
    }),
  );

  it(
    'should lead to the sign-in page when the current one is ended',
    dashboard.test(async (visitor) => {
      const page = await openAccount(visitor);
      await rows(page).getByRole('button', { name: 'Sign out', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await page.goto('/dashboard/sessions');
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    }),
  );

  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const page = await openAccount(visitor);
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('Enter your current password.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Sign out all other devices' }).click();
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});

describe('Changing the password', () => {
  const newPassword = 'a new battery for the horse';
  const fill = async (page: Page, current: string, next: string) => {
    await page.getByRole('textbox', { name: 'Current password' }).fill(current);
    await page.getByRole('textbox', { name: 'New password' }).fill(next);
    await page.getByRole('button', { name: 'Change password' }).click();
  };

  it(
    'should end other sessions and replace the password',
    dashboard.test(async (visitor) => {
      const page = await openAccount(visitor);
      await fill(page, rightPassword, newPassword);
      await expect(page.getByText('Password changed.')).toBeVisible();
      await expect(rows(page).nth(1)).toBeHidden();
      expect(await isOpen(account.token)).toBe(false);
      expect(await page.getByRole('textbox', { name: 'New password' }).inputValue()).toBe('');
      const body = { email: account.email, password: newPassword };
      expect(await call(dashboard.service.url, 'POST /auth/sign-in', { body })).toMatchObject({ status: 200 });
    }),
  );

  it(
    'should show errors next to the fields',
    dashboard.test(async (visitor) => {
      const page = await openAccount(visitor);
      await fill(page, 'not my password', 'too short');
      await expect(page.getByText('Use at least 12 characters.')).toBeVisible();
      await fill(page, rightPassword, rightPassword);
      await expect(page.getByText('Use a different password.')).toBeVisible();
      await fill(page, 'not my password', newPassword);
      await expect(page.getByText('This is not your current password.')).toBeVisible();
      expect(await isOpen(account.token)).toBe(true);
    }),
  );
});

describe('Your sessions without password sign-in', () => {
  const withoutPasswords = openDashboard({ config: { passwordSignIn: false } });

  it(
    'should not offer a password change',
    withoutPasswords.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createAccount(withoutPasswords.service));
      await page.goto('/dashboard/account', { waitUntil: 'networkidle' });
      await expect(page.getByText('This device')).toBeVisible();
      expect(await page.getByText('Change password').count()).toBe(0);
    }),
  );
});
