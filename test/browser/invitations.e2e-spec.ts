import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { rightPassword } from '../factories/accounts.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
let owner: Member;
let email: string;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  email = `guest-of-${owner.userId}@example.com`;
});

async function invite(): Promise<CreatedInvitationDto> {
  const body = { email, roleId: owner.roleId };
  const response = await call(dashboard.service.url, 'POST /members', { token: owner.token, body });
  return response.body as CreatedInvitationDto;
}

describe('An invitation', () => {
  it(
    'should let the invited person join by its link',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('button', { name: 'Invite member' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: `Role ${owner.roleId} All permissions` }).click();
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      const field = dialog.getByLabel('Invitation link').and(page.locator(':focus'));
      const link = await field.inputValue();
      await page.keyboard.press('Escape');
      expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
      expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Copy link' }).click();
      await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(dialog).toBeHidden();
      await page.getByRole('tab', { name: 'Invitations 1' }).click();
      await expect(page.getByRole('cell', { name: email, exact: true })).toBeVisible();
      expect(await page.content()).not.toContain(link.split('token=')[1]);

      const guest = await dashboard.newVisitor();
      await guest.page.goto(link);
      await expect(guest.page.getByText(`The invitation is for ${email}.`)).toBeVisible();
      expect(guest.page.url()).toBe(`${dashboard.service.url}/accept-invitation`);
      expect(await guest.page.evaluate('JSON.stringify([localStorage, sessionStorage, location.href])')).not.toContain(
        link.split('token=')[1],
      );
      await guest.page.getByLabel('Your name').fill('Ada Lovelace');
      await guest.page.getByRole('textbox', { name: 'Password' }).fill(rightPassword);
      await guest.page.getByRole('button', { name: 'Create account and join' }).click();
      await expect(guest.page.getByRole('button', { name: 'Your account: Ada Lovelace' })).toBeVisible();

      await page.getByRole('tab', { name: 'Members' }).click();
      await page.reload();
      await expect(page.getByRole('row', { name: email }).getByText('Ada Lovelace')).toBeVisible();
    }),
  );

  it(
    'should turn into a member on a page that stays open',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { link } = await invite();
      await page.clock.install();
      await visitor.visit(owner, '/dashboard/members');
      await expect(page.getByRole('tab', { name: 'Invitations 1' })).toBeVisible();
      const body = { token: link.split('token=')[1], name: 'Ada Lovelace', password: rightPassword };
      expect((await call(dashboard.service.url, 'POST /auth/accept-invitation', { body })).status).toBe(200);
      await page.clock.fastForward(10_000);
      await expect(page.getByRole('row', { name: email }).getByText('Ada Lovelace')).toBeVisible();
      await expect(page.getByRole('tab', { name: 'Invitations', exact: true })).toBeVisible();
    }),
  );

  it(
    'should name the inviter, and lead to their page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await invite();
      await visitor.visit(owner, '/dashboard/members?view=invitations');
      await page.getByRole('row').getByRole('link', { name: 'A member' }).click();
      await page.waitForURL(`**/dashboard/members/${owner.userId}`);
      await expect(page.getByRole('heading', { level: 1, name: 'A member' })).toBeVisible();
    }),
  );

  it(
    'should be listed with its role and sender in a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await invite();
      await visitor.visit(owner, '/dashboard/members?view=invitations');
      const row = page.getByRole('row', { name: email });
      await expect(row.getByRole('cell').first().getByText(`Role ${owner.roleId}`)).toBeVisible();
      await expect(row.getByText('Invited by A member')).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    "should be validated before it's sent",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('button', { name: 'Invite member' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill('ada');
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      await expect(dialog.getByText('Enter an email, such as')).toBeVisible();
      await expect(dialog.getByText('A role is required.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    "should show the API's error if the person is already a member",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('button', { name: 'Invite member' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill(`${owner.userId}@example.com`);
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: `Role ${owner.roleId}` }).click();
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      await expect(dialog.getByRole('alert').getByText('is already a member')).toBeVisible();
    }),
  );

  it(
    "should stop working when it's withdrawn",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { link } = await invite();
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('tab', { name: 'Invitations 1' }).click();
      await page.getByRole('button', { name: `Actions for ${email}` }).click();
      await page.getByRole('menuitem', { name: 'Withdraw invitation' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      const button = page.getByRole('button', { name: `Actions for ${email}` });
      await expect(button).toBeFocused();
      await button.click();
      await page.getByRole('menuitem', { name: 'Withdraw invitation' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click();
      await expect(page.getByRole('heading', { name: 'No pending invitations' })).toBeVisible();

      const guest = await dashboard.newVisitor();
      await guest.page.goto(link);
      await expect(guest.page.getByRole('heading', { name: 'Invitation no longer valid' })).toBeVisible();
    }),
  );

  it(
    'should stop working when a new link replaces it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { link: earlier } = await invite();
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('tab', { name: 'Invitations 1' }).click();
      await page.getByRole('button', { name: `Actions for ${email}` }).click();
      await page.getByRole('menuitem', { name: 'Create new link' }).click();
      await page
        .getByRole('dialog', { name: 'Create new link' })
        .getByRole('button', { name: 'Create invitation' })
        .click();
      await expect(page.getByText('Invitation created')).toBeVisible();
      const link = await page.getByLabel('Invitation link').inputValue();
      await page.goto(earlier);
      await expect(page.getByRole('heading', { name: 'Invitation no longer valid' })).toBeVisible();
      await page.goto(link);
      await expect(page.getByRole('heading', { name: /^Join / })).toBeVisible();
    }),
  );
});
