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

/** Ends the session that the visitor works with, so that their page will ask for it in vain. */
function endSessionOf({ problems }: Visitor, member: Member): Promise<unknown> {
  problems.expect(endedSession);
  return endSessions(member);
}
const namesOfKeys = async ({ organizationId }: Pick<Member, 'organizationId'>) => {
  const rows = await dashboard.service.query<{ name: string }>(
    'select name from api_keys where organization_id = $1 order by name',
    [organizationId],
  );
  return rows.map(({ name }) => name);
};
const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

/**
 * Shows the list of keys, with all requests answered: one that came after the end of the session would bring the
 * sign-in back before the test does.
 */
async function showKeys(page: Page): Promise<void> {
  await page.goto('/dashboard/keys', { waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
}

/** Shows the member's keys, and begins to create one of this name. */
async function beginKey(visitor: Visitor, member: Member, name: string): Promise<Page> {
  const { page } = visitor;
  await visitor.signInAs(member);
  await showKeys(page);
  await page.getByRole('button', { name: 'Create' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  return page;
}

/** Presses the button of the form, and signs in again where that is asked for. */
async function createAndSignInAgain(page: Page, password: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await signInAgain(page).getByRole('textbox', { name: 'Password' }).fill(password);
  await signInAgain(page).getByRole('button', { name: 'Sign in' }).click();
}

describe('A session that ends in the middle of work', () => {
  it(
    'should bring the sign-in back over the page, and go on afterwards with what was typed',
    dashboard.test(async (visitor) => {
      const page = await beginKey(visitor, account, 'Search indexer');
      await endSessionOf(visitor, account);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      const dialog = signInAgain(page);
      expect(await dialog.getByLabel('Email address').inputValue()).toBe(account.email);
      await dialog.getByRole('textbox', { name: 'Password' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.type('wrong password, this time');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.getByText('Incorrect email or password.').waitFor();
      await dialog.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('region', { name: 'Your new key' }).waitFor();
      expect(await namesOfKeys(account)).toEqual(['Search indexer']);
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      await page.emulateMedia({ colorScheme });
      await visitor.signInAs(account);
      await showKeys(page);
      await endSessionOf(visitor, account);
      await page.getByRole('link', { name: 'Audit log' }).click();
      await signInAgain(page).getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should go on in the organization that the work was for',
    dashboard.test(async (visitor) => {
      const { organizationId } = await createMember(dashboard.service);
      const second = await addMembership(dashboard.service, { userId: account.userId, organizationId });
      const page = await beginKey(visitor, second, 'Of the second organization');
      await endSessionOf(visitor, account);
      await createAndSignInAgain(page, 'correct horse battery staple');
      await page.getByRole('region', { name: 'Your new key' }).waitFor();
      expect(await namesOfKeys(second)).toEqual(['Of the second organization']);
      expect(await namesOfKeys(account)).toEqual([]);
    }),
  );

  it(
    'should do nothing as somebody else who has signed in in another window',
    dashboard.test(async (visitor) => {
      const page = await beginKey(visitor, account, 'Of the first user');
      const stranger = await createMember(dashboard.service);
      await visitor.signInAs(stranger);
      await endSessions(account);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: `Organization ${stranger.organizationId}` }).waitFor();
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
      expect(await namesOfKeys(stranger)).toEqual([]);
      expect(await namesOfKeys(account)).toEqual([]);
    }),
  );

  it(
    'should go on in all windows after signing in again in one',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      await visitor.signInAs(account);
      const windows = [page, await context.newPage()];
      for (const window of windows) await showKeys(window);
      await endSessionOf(visitor, account);
      for (const window of windows) {
        await window.getByRole('link', { name: 'Audit log' }).click();
        await signInAgain(window).waitFor();
      }
      await signInAgain(page).getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple');
      await signInAgain(page).getByRole('button', { name: 'Sign in' }).click();
      for (const window of windows) {
        await signInAgain(window).waitFor({ state: 'hidden' });
        await window.getByText('signed in').first().waitFor();
      }
    }),
  );

  it(
    'should let the person leave instead',
    dashboard.test(async (visitor) => {
      const page = await beginKey(visitor, account, 'Never created');
      await endSessionOf(visitor, account);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await signInAgain(page).getByRole('button', { name: 'Leave instead' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await namesOfKeys(account)).toEqual([]);
    }),
  );
});

describe('An access token that has expired', () => {
  it(
    'should be renewed without notice',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, account, 'Search indexer');
      await visitor.signInAs(account);
      await page.goto('/dashboard/keys');
      await page.getByRole('link', { name: 'Search indexer' }).waitFor();
      const { userId: subject, organizationId: org, sessionId: sid } = account;
      const expired = await dashboard.service.app.get(JwtService).signAsync({ org, sid }, { subject, expiresIn: -60 });
      const refusals: number[] = [];
      page.on('response', (response) => void (response.status() === 401 && refusals.push(401)));
      // What the page holds is as good as this one once its time is over.
      const withExpired = { authorization: `Bearer ${expired}` };
      await page.route(
        '**/api-keys?*',
        (route) => route.continue({ headers: { ...route.request().headers(), ...withExpired } }),
        { times: 1 },
      );
      const found = page.waitForResponse((response) => response.url().includes('name=indexer') && response.ok());
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('indexer');
      await found;
      await page.getByRole('link', { name: 'Search indexer' }).waitFor();
      expect(refusals).toEqual([401]);
      expect(await signInAgain(page).count()).toBe(0);
    }),
  );
});

describe('The page to go to after signing in', () => {
  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/%09/evil.example'])(
    'should never be %s',
    dashboard.test(async (visitor, returnTo: string) => {
      const { page } = visitor;
      await page.goto(`/sign-in?returnTo=${returnTo}`);
      await visitor.fillInSignIn(account);
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(page.url()).toBe(`${dashboard.service.url}/dashboard/keys`);
    }),
  );
});
