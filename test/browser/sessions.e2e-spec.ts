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

/** The page of the account's sessions: that of the visitor, and the one that the account was created with. */
async function openSessions(visitor: Visitor): Promise<Page> {
  const { page } = visitor;
  await visitor.signInAs(account);
  await page.goto('/dashboard/sessions');
  await page.getByText('This one').waitFor();
  return page;
}

describe('Your sessions', () => {
  it(
    'should be ended one by one',
    dashboard.test(async (visitor) => {
      const page = await openSessions(visitor);
      expect(await rows(page).count()).toBe(2);
      await rows(page).filter({ hasText: 'Chrome' }).getByText('This one').waitFor();
      await page.getByRole('button', { name: 'End the session of' }).click();
      expect(await isOpen(account.token)).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
      await page.getByText('The session has ended.').waitFor();
      await rows(page).nth(1).waitFor({ state: 'detached' });
      expect(await isOpen(account.token)).toBe(false);
      expect(await page.getByRole('button', { name: 'End all others' }).count()).toBe(0);
    }),
  );

  it(
    'should be ended all at once, but for the current one',
    dashboard.test(async (visitor) => {
      const { token } = await openSession(dashboard.service, account);
      const page = await openSessions(visitor);
      expect(await rows(page).count()).toBe(3);
      await page.getByRole('button', { name: 'End all others' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
      await rows(page).nth(1).waitFor({ state: 'detached' });
      expect([await isOpen(account.token), await isOpen(token)]).toEqual([false, false]);
      await page.getByText('This one').waitFor();
    }),
  );

  it(
    'should lead to the sign-in when the current one is ended',
    dashboard.test(async (visitor) => {
      const page = await openSessions(visitor);
      await rows(page).getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto('/dashboard/sessions');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      await visitor.page.emulateMedia({ colorScheme });
      const page = await openSessions(visitor);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Enter the password that you sign in with now.').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'End all others' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
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
    'should end the other sessions, and let the new password in',
    dashboard.test(async (visitor) => {
      const page = await openSessions(visitor);
      await fill(page, rightPassword, newPassword);
      await page.getByText('The password was changed').waitFor();
      await rows(page).nth(1).waitFor({ state: 'detached' });
      expect(await isOpen(account.token)).toBe(false);
      expect(await page.getByRole('textbox', { name: 'New password' }).inputValue()).toBe('');
      const body = { email: account.email, password: newPassword };
      expect(await call(dashboard.service.url, 'POST /auth/sign-in', { body })).toMatchObject({ status: 200 });
    }),
  );

  it(
    'should say next to the fields what is wrong',
    dashboard.test(async (visitor) => {
      const page = await openSessions(visitor);
      await fill(page, 'not my password', 'too short');
      await page.getByText('Use 12–256 characters, without control characters.').waitFor();
      await fill(page, 'not my password', newPassword);
      await page.getByText('This is not your current password.').waitFor();
      expect(await isOpen(account.token)).toBe(true);
    }),
  );
});

describe('Where passwords are not used', () => {
  const withoutPasswords = openDashboard({ config: { isPasswordSignInOn: false } });

  it(
    'should offer no change of the password',
    withoutPasswords.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createAccount(withoutPasswords.service));
      await page.goto('/dashboard/sessions', { waitUntil: 'networkidle' });
      await page.getByText('This one').waitFor();
      expect(await page.getByText('Change password').count()).toBe(0);
    }),
  );
});
