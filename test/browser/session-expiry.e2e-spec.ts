import { JwtService } from '@nestjs/jwt';
import type { Page } from 'playwright-core';
import { type Account, createAccount } from '../factories/accounts.js';
import { createApiKey } from '../factories/api-keys.js';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { endedSession } from './setup/problems.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let account: Account;

beforeEach(async () => {
  account = await createAccount(dashboard.service);
});

const endSessions = ({ userId }: Pick<Member, 'userId'>) =>
  dashboard.service.query('delete from sessions where user_id = $1', [userId]);

/** Ends the visitor's session, so that the next request of their page fails. */
function endSessionOf({ problems }: Visitor, member: Member): Promise<unknown> {
  problems.expect(endedSession);
  return endSessions(member);
}
const listKeyNames = async ({ organizationId }: Pick<Member, 'organizationId'>) => {
  const rows = await dashboard.service.query<{ name: string }>(
    'select name from api_keys where organization_id = $1 order by name',
    [organizationId],
  );
  return rows.map(({ name }) => name);
};
const signInDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

/** Opens the API keys page and waits for its requests, which would otherwise notice too early that the session ended. */
async function showKeys(page: Page): Promise<void> {
  await page.goto('/dashboard/keys', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
}

/** Opens the API keys page as this member and fills in the form to create a key. */
async function fillInKeyForm(visitor: Visitor, member: Member, name: string): Promise<Page> {
  const { page } = visitor;
  await visitor.signInAs(member);
  await showKeys(page);
  await page.getByRole('button', { name: /^Create (key|your first key)$/ }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  return page;
}

/** Submits the form, then signs in again. */
async function submitAndSignIn(page: Page, password: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await signInDialog(page).getByRole('textbox', { name: 'Password' }).fill(password);
  await signInDialog(page).getByRole('button', { name: 'Sign in' }).click();
}

describe('A session that ends while the user is working', () => {
  it(
    'should show a sign-in dialog, then submit what the user had typed',
    dashboard.test(async (visitor) => {
      const page = await fillInKeyForm(visitor, account, 'Search indexer');
      await endSessionOf(visitor, account);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      const dialog = signInDialog(page);
      expect(await dialog.getByLabel('Email').inputValue()).toBe(account.email);
      await expect(dialog.getByRole('textbox', { name: 'Password' })).toBeFocused();
      await page.keyboard.press('Escape');
      await page.keyboard.type('wrong password, this time');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await expect(dialog.getByText('Incorrect email or password.')).toBeVisible();
      await dialog.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('region', { name: 'Your new key' })).toBeVisible();
      expect(await listKeyNames(account)).toEqual(['Search indexer']);
    }),
  );

  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(account);
      await showKeys(page);
      await endSessionOf(visitor, account);
      await page.getByRole('link', { name: 'Audit log' }).click();
      await expect(signInDialog(page).getByRole('button', { name: 'Sign in' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should resume in the organization the user was working in',
    dashboard.test(async (visitor) => {
      const { organizationId } = await createMember(dashboard.service);
      const second = await addMembership(dashboard.service, { userId: account.userId, organizationId });
      const page = await fillInKeyForm(visitor, second, 'Of the second organization');
      await endSessionOf(visitor, account);
      await submitAndSignIn(page, 'correct horse battery staple');
      await expect(page.getByRole('region', { name: 'Your new key' })).toBeVisible();
      expect(await listKeyNames(second)).toEqual(['Of the second organization']);
      expect(await listKeyNames(account)).toEqual([]);
    }),
  );

  it(
    'should not act as another user who signed in in another window',
    dashboard.test(async (visitor) => {
      const page = await fillInKeyForm(visitor, account, 'Of the first user');
      const stranger = await createMember(dashboard.service);
      await visitor.signInAs(stranger);
      await endSessions(account);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByRole('button', { name: `Organization ${stranger.organizationId}` })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      expect(await listKeyNames(stranger)).toEqual([]);
      expect(await listKeyNames(account)).toEqual([]);
    }),
  );

  it(
    'should resume in all windows after signing in in one',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      await visitor.signInAs(account);
      const windows = [page, await context.newPage()];
      for (const window of windows) await showKeys(window);
      await endSessionOf(visitor, account);
      for (const window of windows) {
        await window.getByRole('link', { name: 'Audit log' }).click();
        await expect(signInDialog(window)).toBeVisible();
      }
      await signInDialog(page).getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple');
      await signInDialog(page).getByRole('button', { name: 'Sign in' }).click();
      for (const window of windows) {
        await expect(signInDialog(window)).toBeHidden();
        await expect(window.getByText('signed in').first()).toBeVisible();
      }
    }),
  );

  it(
    'should let the user leave for the sign-in page instead',
    dashboard.test(async (visitor) => {
      const page = await fillInKeyForm(visitor, account, 'Never created');
      await endSessionOf(visitor, account);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await signInDialog(page).getByRole('button', { name: 'Use another account' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      expect(await listKeyNames(account)).toEqual([]);
    }),
  );
});

describe('An expired access token', () => {
  it(
    'should be refreshed without the user noticing',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, account, 'Search indexer');
      await visitor.signInAs(account);
      await page.goto('/dashboard/keys');
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
      const { userId: subject, organizationId: org, sessionId: sid } = account;
      const expired = await dashboard.service.app.get(JwtService).signAsync({ org, sid }, { subject, expiresIn: -60 });
      const rejections: number[] = [];
      page.on('response', (response) => void (response.status() === 401 && rejections.push(401)));
      // Stands in for the page's own token after its expiry. The route isn't removed after the first request, because the
      // browser could lose a request that follows at that moment.
      const firstHeaders = [{ authorization: `Bearer ${expired}` }];
      await page.route('**/api-keys?*', (route) =>
        route.continue({ headers: { ...route.request().headers(), ...firstHeaders.shift() } }),
      );
      const found = page.waitForResponse((response) => response.url().includes('name=indexer') && response.ok());
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('indexer');
      await found;
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
      expect(rejections).toEqual([401]);
      expect(await signInDialog(page).count()).toBe(0);
    }),
  );
});

describe('The page opened after signing in', () => {
  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/%09/evil.example'])(
    'should never be %s',
    dashboard.test(async (visitor, returnTo: string) => {
      const { page } = visitor;
      await page.goto(`/sign-in?returnTo=${returnTo}`);
      await visitor.fillInSignIn(account);
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
      expect(page.url()).toBe(`${dashboard.service.url}/dashboard`);
    }),
  );
});
