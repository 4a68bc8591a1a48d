import type { Page } from 'playwright-core';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createAccount, rightPassword, wrongPassword } from '../factories/accounts.js';
import { createMember, type Member } from '../factories/organizations.js';
import { oidcSettings } from '../oidc/oidc-settings.js';
import { TestProvider } from '../oidc/test-provider.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { Dashboard, openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;
let email: string;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  email = `guest-of-${owner.userId}@example.com`;
});

async function invite(invitedEmail = email, { url } = dashboard.service): Promise<CreatedInvitationDto> {
  const body = { email: invitedEmail, roleId: owner.roleId };
  return (await call(url, 'POST /members', { token: owner.token, body })).body as CreatedInvitationDto;
}

async function createAccountAndJoin(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('textbox', { name: 'Password' }).fill(rightPassword);
  await page.getByRole('button', { name: 'Create account and join' }).click();
}

describe('Accepting an invitation', () => {
  it(
    'should only work once',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { link } = await invite();
      await page.goto(link);
      await createAccountAndJoin(page);
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
      await page.goto(link);
      await expect(page.getByRole('heading', { name: 'Invitation no longer valid' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'sign in' })).toBeVisible();
    }),
  );

  it(
    'should explain that the invitation has expired',
    dashboard.test(async ({ page }) => {
      const { id, link } = await invite();
      await dashboard.service.query(`update invitations set expires_at = now() - interval '1 second' where id = $1`, [
        id,
      ]);
      await page.goto(link);
      await expect(page.getByRole('heading', { name: 'This invitation has expired' })).toBeVisible();
    }),
  );

  it(
    'should survive a reload without the token in the URL',
    dashboard.test(async ({ page }) => {
      await page.goto((await invite()).link);
      await expect(page.getByRole('heading', { name: /^Join / })).toBeVisible();
      expect(page.url()).not.toContain('token');
      await page.reload();
      await createAccountAndJoin(page);
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    }),
  );

  it(
    'should validate the name and password while the user types',
    dashboard.test(async ({ page }) => {
      await page.goto((await invite()).link);
      await page.getByRole('textbox', { name: 'Password' }).fill('correct');
      await expect(page.getByText('5 more characters')).toBeVisible();
      await page.getByLabel('Your name').fill('A');
      await page.getByRole('button', { name: 'Create account and join' }).click();
      await expect(page.getByText('Use at least 2 characters.')).toBeVisible();
      await expect(page.getByText('Use at least 12 characters.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    "should not complain about fields that the user hasn't filled in yet",
    dashboard.test(async ({ page }) => {
      await page.goto((await invite()).link);
      await page.getByLabel('Your name').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await page.getByText(/^Use at least/).count()).toBe(0);
      await page.getByLabel('Your name').fill('A');
      await page.keyboard.press('Tab');
      await expect(page.getByText('Use at least 2 characters.')).toBeVisible();
    }),
  );

  it(
    'should keep what was typed while the user switches between a new and an existing account',
    dashboard.test(async ({ page }) => {
      const password = page.getByRole('textbox', { name: 'Password' });
      await page.goto((await invite()).link);
      await page.getByLabel('Your name').fill('Ada Lovelace');
      await password.fill('a new password');
      await page.getByRole('button', { name: 'Use your password' }).click();
      await expect(page.getByRole('button', { name: 'Join' })).toBeVisible();
      expect(await password.inputValue()).toBe('');
      await password.fill(rightPassword);
      await page.getByRole('button', { name: 'Create an account' }).click();
      await expect(page.getByLabel('Your name')).toBeVisible();
      expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace');
      expect(await password.inputValue()).toBe('a new password');
      await page.getByRole('button', { name: 'Use your password' }).click();
      await expect(page.getByRole('button', { name: 'Join' })).toBeVisible();
      expect(await password.inputValue()).toBe(rightPassword);
    }),
  );

  it(
    'should require the password of an existing account, even if the user was just removed from their only organization',
    dashboard.test(async (visitor) => {
      const { page, problems } = visitor;
      const account = await createAccount(dashboard.service);
      const { link } = await invite(account.email);
      await visitor.visit(account, '/dashboard/keys');
      await dashboard.service.query('delete from memberships where user_id = $1', [account.userId]);
      problems.expect(/Console: ServiceError: Your account isn't a member of any organization/);
      // Without waiting for the link: the page may already have noticed.
      await page.evaluate(`document.querySelector('a[href="/dashboard/members"]')?.click()`);
      await expect(page.getByRole('heading', { name: "You don't belong to an organization" })).toBeVisible();
      await expect(page.getByText('Ask an administrator for an invitation.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.goto(link);
      await page.getByRole('button', { name: 'Use your password' }).click();
      await page.getByRole('textbox', { name: 'Password' }).fill(wrongPassword);
      await page.getByRole('button', { name: 'Join' }).click();
      await expect(page.getByRole('alert').getByText('Incorrect password for the invited email')).toBeVisible();
      await page.getByRole('textbox', { name: 'Password' }).fill(rightPassword);
      await page.getByRole('button', { name: 'Join' }).click();
      await expect(
        page.getByRole('button', { name: `Organization: Organization ${owner.organizationId}` }),
      ).toBeVisible();
    }),
  );

  it(
    'should warn a signed-in user of another account, then switch all windows to the new one',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      const { link } = await invite();
      await visitor.visit(owner, '/dashboard/members');
      const window = await context.newPage();
      await window.goto(link);
      await expect(window.getByText(`You're signed in as ${owner.userId}@example.com.`)).toBeVisible();
      await createAccountAndJoin(window);
      await expect(window.getByRole('button', { name: 'Your account: Ada Lovelace' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Your account: Ada Lovelace' })).toBeVisible();
    }),
  );

  it(
    'should have no accessibility violations in light or dark mode in a narrow window',
    dashboard.test(async ({ page }) => {
      const { link } = await invite();
      await page.goto(link);
      await expect(page.getByRole('heading', { name: /^Join / })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
      await page.goto(link.replace(/.$/, '!'));
      await expect(page.getByRole('heading', { name: 'Invitation no longer valid' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});

describe('Accepting an invitation without password sign-in', () => {
  const provider = new TestProvider();
  const withProvider = new Dashboard();

  beforeAll(async () => {
    await provider.start();
    await withProvider.start({ config: { passwordSignIn: false, oidc: oidcSettings(provider) } });
    provider.registerClient(withProvider.service.url);
  });
  afterAll(async () => {
    await withProvider.stop();
    await provider.stop();
  });

  async function continueWithProvider({ page }: Visitor, invitedEmail: string): Promise<void> {
    owner = await createMember(withProvider.service);
    await page.goto((await invite(invitedEmail, withProvider.service)).link);
    await expect(page.getByRole('heading', { name: /^Join / })).toBeVisible();
    expect(await page.getByRole('textbox', { name: 'Password' }).count()).toBe(0);
    await page.getByRole('button', { name: /^Continue with / }).click();
  }

  it(
    'should lead through the identity provider into the organization',
    withProvider.test(async (visitor) => {
      provider.visitor = provider.meet();
      await continueWithProvider(visitor, provider.visitor.email);
      await expect(
        visitor.page.getByRole('button', { name: `Organization: Organization ${owner.organizationId}` }),
      ).toBeVisible();
    }),
  );

  it(
    'should explain that the invitation is for another email',
    withProvider.test(async (visitor) => {
      provider.visitor = provider.meet();
      await continueWithProvider(visitor, email);
      await expect(visitor.page.getByText('This invitation is for another email.')).toBeVisible();
      expect(await findAccessibilityViolations(visitor.page)).toEqual([]);
    }),
  );
});
