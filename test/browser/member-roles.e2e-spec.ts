import type { Locator, Page } from 'playwright-core';
import { allPermissions } from '../../src/access/permissions.js';
import { createMember, type Member, removeMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { readStyle } from './setup/computed-style.js';
import { openDashboard } from './setup/dashboard.js';
import { openMembers } from './setup/members.js';
import { createRole } from './setup/roles.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const join = (options: Parameters<typeof createMember>[1]) =>
  createMember(dashboard.service, { organizationId: owner.organizationId, ...options });
const roleName = ({ roleId }: Pick<Member, 'roleId'>) => `Role ${roleId}`;
const changeRole = ({ membershipId }: Member, roleId: string, token = owner.token) =>
  call(dashboard.service.url, `PATCH /members/${membershipId}`, { token, body: { roleId } });

/** Simulates the user returning to the tab, until its page is up to date. A fetch that is already running may be too early. */
const returnToTab = (page: Page, isUpToDate: () => Promise<boolean>) =>
  waitFor(async () => {
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    return isUpToDate();
  });

describe("Changing a member's role", () => {
  it(
    "should take effect immediately in the API and on the member's open page",
    dashboard.test(async (visitor) => {
      const other = await join({});
      const viewer = await join({ permissions: ['get-members'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      const others = await openMembers(await dashboard.newVisitor(), other);
      await expect(others.page.getByRole('button', { name: 'Invite member' })).toBeVisible();

      await roleOf(other).click();
      await page.getByRole('option', { name: roleName(viewer) }).click();
      await expect(page.getByText(`role is now ${roleName(viewer)}`)).toBeVisible();

      expect((await changeRole(viewer, other.roleId, other.token)).status).toBe(403);
      const invite = others.page.getByRole('button', { name: 'Invite member' });
      await returnToTab(others.page, () => invite.isHidden());
      expect((await changeRole(other, other.roleId)).status).toBe(200);
      await returnToTab(others.page, () => invite.isVisible());
    }),
  );

  it(
    'should disable roles with permissions the user lacks, and name these',
    dashboard.test(async (visitor) => {
      const helper = await join({ permissions: ['get-members', 'update-members', 'get-roles'] });
      const { page, roleOf } = await openMembers(visitor, helper);
      await roleOf(owner).click();
      const option = page.getByRole('option', { name: roleName(owner) });
      await expect(
        option.getByText(`You don't have “Create API keys”, “List API keys” and ${allPermissions.length - 5} more`),
      ).toBeVisible();
      expect(await option.isDisabled()).toBe(true);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect((await changeRole(helper, owner.roleId, helper.token)).status).toBe(403);
    }),
  );

  it(
    'should ask before granting permissions, list what is gained and lost, and offer to undo each change',
    dashboard.test(async (visitor) => {
      const viewer = await join({ permissions: ['get-members'] });
      const helper = await join({ permissions: ['get-usage'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      const select = async (roleId: string) => {
        await roleOf(viewer).click();
        await page.getByRole('option', { name: `Role ${roleId}` }).click();
      };
      await select(helper.roleId);
      const dialog = page.getByRole('dialog', { name: `role to ${roleName(helper)}?` });
      await expect(dialog.getByText('See usage')).toBeVisible();
      await expect(dialog.getByText('List members')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      const cancel = dialog.getByRole('button', { name: 'Cancel' });
      await expect(cancel).toBeFocused();
      await cancel.click();
      await expect(dialog).toBeHidden();
      expect(await roleOf(viewer).inputValue()).toBe(roleName(viewer));

      await select(helper.roleId);
      await dialog.getByRole('button', { name: 'Change role' }).click();
      await expect(page.getByText(`role is now ${roleName(helper)}`)).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText(`role is ${roleName(viewer)} again`)).toBeVisible();
      expect(await roleOf(viewer).inputValue()).toBe(roleName(viewer));
    }),
  );

  it(
    'should only offer to undo the last change of each member',
    dashboard.test(async (visitor) => {
      await createRole(dashboard.service, owner, 'Auditor', ['get-usage']);
      await createRole(dashboard.service, owner, 'Reader', ['get-members']);
      await createRole(dashboard.service, owner, 'Guest', []);
      const first = await join({ permissions: ['get-members', 'get-usage'] });
      const second = await join({ permissions: ['get-members', 'get-usage'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      const toast = (text: string) => page.getByRole('alert').filter({ hasText: text });
      const assign = async (member: Member, role: string) => {
        await roleOf(member).click();
        await page.getByRole('option', { name: role }).click();
        // Keeps all messages open.
        await toast(`role is now ${role}.`).hover();
      };
      await assign(first, 'Reader');
      await assign(second, 'Auditor');
      await assign(second, 'Guest');
      await expect(toast('role is now Auditor.')).toBeHidden();
      await toast('role is now Guest.').getByRole('button', { name: 'Undo' }).click();
      await expect(toast('role is Auditor again.')).toBeVisible();
      await assign(second, 'Guest');
      await expect(toast('role is Auditor again.')).toBeHidden();
      await expect(toast('role is now Reader.')).toBeVisible();
    }),
  );

  it(
    'should keep the focus on the select, even after Undo',
    dashboard.test(async (visitor) => {
      const reader = await join({ permissions: ['get-members'] });
      const other = await join({ permissions: ['get-members'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      await roleOf(reader).click();
      await page.getByRole('option', { name: roleName(other) }).click();
      await page.getByText(`role is now ${roleName(other)}`).waitFor();
      await expect(roleOf(reader)).toBeFocused();
      await page.getByRole('button', { name: 'Undo' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText(`role is ${roleName(reader)} again`).waitFor();
      await expect(roleOf(reader)).toBeFocused();
    }),
  );

  it(
    'should show a select that looks and reads the same before and after it is used',
    dashboard.test(async (visitor) => {
      const { page, row, roleOf } = await openMembers(visitor, owner);
      const field = roleOf(owner);
      const attributes = ['role', 'aria-haspopup', 'aria-expanded', 'aria-controls', 'autocomplete', 'inputmode'];
      const styles = ['color', 'font', 'background', 'border', 'padding', 'borderRadius', 'cursor', 'textOverflow'];
      // Not the place, which depends on the width of times, such as "9 seconds ago".
      const sizeOf = async (element: Locator) => {
        const { width, height } = (await element.boundingBox()) ?? { width: 0, height: 0 };
        return [width, height];
      };
      const describeField = async () => ({
        snapshot: await row(owner).ariaSnapshot(),
        field: await sizeOf(field),
        chevron: await sizeOf(row(owner).locator('[data-position=right] svg')),
        row: await sizeOf(row(owner)),
        attributes: await Promise.all(attributes.map((name) => field.getAttribute(name))),
        style: await Promise.all(styles.map((name) => readStyle(field, name))),
      });
      const blur = () => page.evaluate(`document.activeElement.blur()`);
      // Once it's known that the last Owner can't leave.
      await row(owner).getByRole('button', { name: 'Leave', disabled: true }).waitFor();
      const before = await describeField();
      await field.click();
      await expect(page.getByRole('listbox')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(field).toBeFocused();
      await blur();
      await expect(page.getByRole('listbox')).toBeHidden();
      expect(await describeField()).toEqual(before);
    }),
  );

  it.each(['Enter', 'ArrowDown', 'ArrowUp'])(
    'should open the list of roles with %s, and leave it and the role with Escape and Tab',
    dashboard.test(async (visitor, key: string) => {
      const { page, row, roleOf } = await openMembers(visitor, owner);
      await roleOf(owner).focus();
      await page.keyboard.press(key);
      await expect(page.getByRole('option', { name: roleName(owner) })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('listbox')).toBeHidden();
      await expect(roleOf(owner)).toBeFocused();
      expect(await roleOf(owner).inputValue()).toBe(roleName(owner));
      await page.keyboard.press('Shift+Tab');
      await expect(row(owner).getByRole('link')).toBeFocused();
    }),
  );

  it(
    'should disable roles that would leave the organization without an administrator, and say so',
    dashboard.test(async (visitor) => {
      const viewer = await join({ permissions: ['get-members', 'get-roles'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      await roleOf(owner).click();
      const option = page.getByRole('option', { name: roleName(viewer) });
      await expect(option.getByText('No other member can manage roles and members')).toBeVisible();
      expect(await option.isDisabled()).toBe(true);
      expect((await changeRole(owner, viewer.roleId)).status).toBe(409);
      await page.keyboard.press('Escape');
      await roleOf(viewer).click();
      await page.getByRole('option', { name: roleName(owner) }).click();
      await page.getByRole('button', { name: 'Change role' }).click();
      await expect(page.getByText(`role is now ${roleName(owner)}`)).toBeVisible();
      await roleOf(owner).click();
      await waitFor(async () => !(await option.isDisabled()));
    }),
  );

  it(
    'should find a role by typing, whether the list is open or not',
    dashboard.test(async (visitor) => {
      const viewer = await join({ permissions: ['get-members'] });
      await createRole(dashboard.service, owner, 'Auditor', ['get-members']);
      const { page, roleOf } = await openMembers(visitor, owner);
      await roleOf(viewer).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('aud');
      await page.keyboard.press('Enter');
      await expect(page.getByText('role is now Auditor')).toBeVisible();
      expect(await roleOf(viewer).inputValue()).toBe('Auditor');
      await changeRole(viewer, viewer.roleId);
      await page.reload();
      await roleOf(viewer).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('option', { name: 'Auditor' })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.keyboard.type('Audi');
      expect(await roleOf(viewer).inputValue()).toBe('Audi');
      await page.keyboard.press('Enter');
      await expect(page.getByText('role is now Auditor')).toBeVisible();
    }),
  );

  it(
    'should ask users who would lose permissions, and show why the API rejects the change',
    dashboard.test(async (visitor) => {
      const viewer = await join({ permissions: ['get-members', 'get-roles'] });
      const leaver = await join({});
      const { page, roleOf } = await openMembers(visitor, owner);
      await roleOf(owner).click();
      await page.getByRole('option', { name: roleName(viewer) }).click();
      const dialog = page.getByRole('dialog', { name: `Change your role to ${roleName(viewer)}?` });
      await expect(dialog.getByText('Change member roles')).toBeVisible();
      await removeMember(dashboard.service, leaver, owner);
      await dialog.getByRole('button', { name: 'Change my role' }).click();
      await expect(
        dialog.getByRole('alert').getByText('This would leave no member with the permissions'),
      ).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toBeHidden();
      expect(await roleOf(owner).inputValue()).toBe(roleName(owner));
    }),
  );

  it(
    'should immediately hide what the user has lost the permission for',
    dashboard.test(async (visitor) => {
      await join({});
      const viewer = await join({ permissions: ['get-members', 'get-roles'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      await roleOf(owner).click();
      await page.getByRole('option', { name: roleName(viewer) }).click();
      await page.getByRole('button', { name: 'Change my role' }).click();
      await expect(page.getByRole('button', { name: 'Invite member' })).toBeHidden();
      expect(await roleOf(owner).count()).toBe(0);
    }),
  );
});
