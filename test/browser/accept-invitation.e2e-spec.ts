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

async function invite(address = email, { url } = dashboard.service): Promise<CreatedInvitationDto> {
  const body = { email: address, roleId: owner.roleId };
  return (await call(url, 'POST /members', { token: owner.token, body })).body as CreatedInvitationDto;
}

async function createAccountOf({ page }: Visitor, name = 'Ada Lovelace'): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('New password').fill(rightPassword);
  await page.getByRole('button', { name: 'Create account and join' }).click();
}

describe('An invitation', () => {
  it(
    'should lead from the dialog of one to the dashboard of the other',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('button', { name: 'Invite member' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email address').fill(email);
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: `Role ${owner.roleId}` }).click();
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      const field = dialog.getByLabel('Invitation link').and(page.locator(':focus'));
      const link = await field.inputValue();
      await dialog.getByRole('button', { name: 'Copy link' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('tab', { name: 'Invitations 1' }).click();
      await page.getByRole('cell', { name: email, exact: true }).waitFor();
      expect(await page.content()).not.toContain(link.split('token=')[1]);

      const guest = await dashboard.newVisitor();
      await guest.page.goto(link);
      await guest.page.getByText(`with the address ${email}`).waitFor();
      expect(guest.page.url()).toBe(`${dashboard.service.url}/accept-invitation`);
      expect(await guest.page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state])')).not.toContain(
        link.split('token=')[1],
      );
      await createAccountOf(guest);
      await guest.page.getByRole('button', { name: 'Your account: Ada Lovelace' }).waitFor();

      await page.getByRole('tab', { name: 'Members' }).click();
      await page.reload();
      await page.getByRole('row', { name: email }).getByText('Ada Lovelace').waitFor();
    }),
  );

  it(
    'should say what is wrong with an address and that a role is missing before anything is sent',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('button', { name: 'Invite member' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email address').fill('ada');
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      await dialog.getByText('Enter an email, such as').waitFor();
      await dialog.getByText('Choose a role').last().waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    "should show the service's words for who is a member already",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('button', { name: 'Invite member' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email address').fill(`${owner.userId}@example.com`);
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: `Role ${owner.roleId}` }).click();
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      await dialog.getByRole('alert').getByText('is already a member').waitFor();
    }),
  );

  it(
    'should no longer work once it is withdrawn',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { link } = await invite();
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('tab', { name: 'Invitations 1' }).click();
      await page.getByRole('button', { name: `Actions for ${email}` }).click();
      await page.getByRole('menuitem', { name: 'Withdraw' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      const button = page.getByRole('button', { name: `Actions for ${email}` });
      await button.and(page.locator(':focus')).waitFor();
      await button.click();
      await page.getByRole('menuitem', { name: 'Withdraw' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click();
      await page.getByRole('heading', { name: 'No open invitations' }).waitFor();

      const guest = await dashboard.newVisitor();
      await guest.page.goto(link);
      await guest.page.getByRole('heading', { name: 'This invitation is no longer open' }).waitFor();
    }),
  );

  it(
    'should get a new link, which replaces the earlier one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { link: earlier } = await invite();
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('tab', { name: 'Invitations 1' }).click();
      await page.getByRole('button', { name: `Actions for ${email}` }).click();
      await page.getByRole('menuitem', { name: 'New link' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create invitation' }).click();
      await page.getByText('Invitation created').waitFor();
      const link = await page.getByLabel('Invitation link').inputValue();
      await page.goto(earlier);
      await page.getByRole('heading', { name: 'This invitation is no longer open' }).waitFor();
      await page.goto(link);
      await page.getByRole('heading', { name: /^Join / }).waitFor();
    }),
  );
});

describe('Accepting an invitation', () => {
  it(
    'should not work twice',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { link } = await invite();
      await page.goto(link);
      await createAccountOf(visitor);
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      await page.goto(link);
      await page.getByRole('heading', { name: 'This invitation is no longer open' }).waitFor();
      await page.getByRole('link', { name: 'sign in' }).waitFor();
    }),
  );

  it(
    'should explain that an invitation has expired',
    dashboard.test(async ({ page }) => {
      const { id, link } = await invite();
      await dashboard.service.query(`update invitations set expires_at = now() - interval '1 second' where id = $1`, [
        id,
      ]);
      await page.goto(link);
      await page.getByRole('heading', { name: 'This invitation has expired' }).waitFor();
    }),
  );

  it(
    'should ask for the whole link when the token is missing, as after a reload',
    dashboard.test(async ({ page }) => {
      await page.goto((await invite()).link);
      await page.getByRole('heading', { name: /^Join / }).waitFor();
      await page.reload();
      await page.getByText('Open the whole link that you were sent once more.').waitFor();
    }),
  );

  it(
    'should say while they are typed what is wrong with name and password',
    dashboard.test(async ({ page }) => {
      await page.goto((await invite()).link);
      await page.getByLabel('New password').fill('correct');
      await page.getByText('5 more characters').waitFor();
      await page.getByLabel('Your name').fill('A');
      await page.getByRole('button', { name: 'Create account and join' }).click();
      await page.getByText('Use at least 2 characters.').waitFor();
      await page.getByText('Use 12–256 characters, without control characters.').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should ask for the password of an account that is there, and refuse a wrong one',
    dashboard.test(async ({ page }) => {
      const account = await createAccount(dashboard.service);
      const { link } = await invite(account.email);
      await page.goto(link);
      await page.getByRole('button', { name: 'Use its password' }).click();
      await page.getByRole('textbox', { name: 'Password' }).fill(wrongPassword);
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('alert').getByText('Incorrect password for the invited email').waitFor();
      await page.getByRole('textbox', { name: 'Password' }).fill(rightPassword);
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('button', { name: `Organization: Organization ${owner.organizationId}` }).waitFor();
    }),
  );

  it(
    'should tell who is signed in as somebody else, and take their other windows along',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      const { link } = await invite();
      await visitor.visit(owner, '/dashboard/members');
      const window = await context.newPage();
      await window.goto(link);
      await window.getByText(`You are signed in as ${owner.userId}@example.com.`).waitFor();
      await window.getByLabel('Your name').fill('Ada Lovelace');
      await window.getByLabel('New password').fill(rightPassword);
      await window.getByRole('button', { name: 'Create account and join' }).click();
      await window.getByRole('button', { name: 'Your account: Ada Lovelace' }).waitFor();
      await page.getByRole('button', { name: 'Your account: Ada Lovelace' }).waitFor();
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours, at 360 pixels either',
    dashboard.test(async ({ page }, colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      const { link } = await invite();
      await page.goto(link);
      await page.getByRole('heading', { name: /^Join / }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
      await page.goto(link.replace(/.$/, '!'));
      await page.getByRole('heading', { name: 'This invitation is no longer open' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});

describe('Accepting an invitation by single sign-on alone', () => {
  const provider = new TestProvider();
  const withProvider = new Dashboard();

  beforeAll(async () => {
    await provider.start();
    await withProvider.start({ config: { isPasswordSignInOn: false, oidc: oidcSettings(provider) } });
    provider.registerClient(withProvider.service.url);
  });
  afterAll(async () => {
    await withProvider.stop();
    await provider.stop();
  });

  async function openInvitation({ page }: Visitor, address: string): Promise<void> {
    owner = await createMember(withProvider.service);
    await page.goto((await invite(address, withProvider.service)).link);
    await page.getByRole('heading', { name: /^Join / }).waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);
    await page.getByRole('button', { name: /^Continue with / }).click();
  }

  it(
    'should lead to the identity provider and from there into the organization',
    withProvider.test(async (visitor) => {
      provider.visitor = provider.meet();
      await openInvitation(visitor, provider.visitor.email);
      await visitor.page.getByRole('button', { name: `Organization: Organization ${owner.organizationId}` }).waitFor();
    }),
  );

  it(
    'should explain that the provider knows the person by another address',
    withProvider.test(async (visitor) => {
      provider.visitor = provider.meet();
      await openInvitation(visitor, email);
      await visitor.page.getByText('This invitation is for another email.').waitFor();
      expect(await findAccessibilityViolations(visitor.page)).toEqual([]);
    }),
  );
});
