import type { Page } from 'playwright-core';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createAccount, rightPassword } from '../factories/accounts.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createResetToken } from '../factories/reset-tokens.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { chooseAction } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const openForms: [title: string, path: string, open: (page: Page) => Promise<void>][] = [
  ['Create key', '/dashboard/keys', (page) => page.getByRole('button', { name: 'Create key' }).click()],
  ['Rename key', '/dashboard/keys', (page) => chooseAction(page, 'Indexer', 'Rename')],
  ['Limits and restrictions', '/dashboard/keys', (page) => chooseAction(page, 'Indexer', 'Limits and restrictions')],
  ['Invite member', '/dashboard/members', (page) => page.getByRole('button', { name: 'Invite member' }).click()],
  ['Create role', '/dashboard/roles', (page) => page.getByRole('button', { name: 'Create role' }).click()],
  ['Create organization', '/dashboard/organization', createOrganization],
];

async function createInvitationLink(): Promise<string> {
  const body = { email: `guest-of-${owner.userId}@example.com`, roleId: owner.roleId };
  const invitation = await call(dashboard.service.url, 'POST /members', { token: owner.token, body });
  return (invitation.body as CreatedInvitationDto).link;
}

async function createResetLink(): Promise<string> {
  const { email } = await createAccount(dashboard.service);
  return `/reset-password#token=${await createResetToken(dashboard.service, email)}`;
}

async function createOrganization(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Organization:/ }).click();
  await page.getByRole('menuitem', { name: 'Create organization' }).click();
}

/** Waits long enough for React to render the change, but not for another event. */
const changeAndPressEscape = `(async () => {
  const field = document.activeElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'Changed');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  for (let microtask = 0; microtask < 100; microtask += 1) await undefined;
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
})()`;

describe('Unsaved changes in a dialog', () => {
  it(
    'should only be discarded after confirmation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, owner, 'Indexer');
      await visitor.signInAs(owner);
      const confirmation = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      for (const [title, path, open] of openForms) {
        if (!page.url().endsWith(path)) await page.goto(path);
        await open(page);
        const dialog = page.getByRole('dialog', { name: title });
        const field = dialog.getByRole('textbox').last();
        await field.fill('Changed');
        await page.keyboard.press('Escape');
        await expect(confirmation.getByRole('button', { name: 'Keep editing' })).toBeFocused();
        await page.keyboard.press('Enter');
        await expect(confirmation).toBeHidden();
        expect(await field.inputValue()).toBe('Changed');
        await page.keyboard.press('Escape');
        await confirmation.getByRole('button', { name: 'Discard changes' }).click();
        await expect(dialog).toBeHidden();
        await open(page);
        expect(await dialog.getByRole('textbox').last().inputValue()).not.toBe('Changed');
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      }
    }),
  );
});

describe('Unsaved changes of an instant ago', () => {
  it(
    'should only be discarded after confirmation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, owner, 'Indexer');
      await visitor.visit(owner, '/dashboard/keys');
      await chooseAction(page, 'Indexer', 'Rename');
      await page.getByRole('dialog', { name: 'Rename key' }).getByRole('textbox').last().focus();
      await page.evaluate(changeAndPressEscape);
      await expect(page.getByRole('dialog', { name: 'Discard unsaved changes?' })).toBeVisible();
    }),
  );
});

describe('Unsaved changes on a page', () => {
  it.each([
    ['Accept invitation', createInvitationLink, 'Your name', 'Create account and join'],
    ['Reset password', createResetLink, 'New password', 'Set password'],
  ] as const)(
    'should only be discarded after confirmation on the %s page, without holding up the submission',
    dashboard.test(
      async ({ page }, _name: string, createLink: () => Promise<string>, label: string, button: string) => {
        await page.goto(await createLink());
        await page.getByLabel(label).fill('Changed');
        const confirmation = page.waitForEvent('dialog');
        await page.close({ runBeforeUnload: true });
        const dialog = await confirmation;
        expect(dialog.type()).toBe('beforeunload');
        await dialog.dismiss();
        await page.getByRole('textbox', { name: /password/i }).fill(rightPassword);
        await page.getByRole('button', { name: button }).click();
        await expect(page.getByRole('heading', { name: /^(Overview|Password set)$/ })).toBeVisible();
      },
    ),
  );

  it(
    'should only be discarded after confirmation on the Organization page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      await page.getByRole('textbox', { name: 'Name' }).fill('Changed');
      await page.getByRole('link', { name: 'Members' }).click();
      const confirmation = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      await confirmation.getByRole('button', { name: 'Keep editing' }).click();
      await expect(confirmation).toBeHidden();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Settings saved.')).toBeVisible();
      await page.getByRole('link', { name: 'Members' }).click();
      await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
    }),
  );
});
