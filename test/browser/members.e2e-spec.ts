import type { Page } from 'playwright-core';
import { allPermissions } from '../../src/access/permissions.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

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

/** What a browser tells a page that is looked at again. */
const comeBack = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);

/** The page of members as this member sees it; rows are found by email address. */
async function openMembers(visitor: Visitor, member: Member) {
  const { page } = visitor;
  await visitor.visit(member, '/dashboard/members');
  await page.getByRole('table', { name: 'Members' }).getByText('@').first().waitFor();
  const row = ({ userId }: Pick<Member, 'userId'>) =>
    page.getByRole('row').filter({ hasText: `${userId}@example.com` });
  return { page, row, roleOf: (one: Pick<Member, 'userId'>) => row(one).getByRole('combobox') };
}

describe('The page of members', () => {
  it(
    'should find members while their name or email address is typed, and keep that in the address',
    dashboard.test(async (visitor) => {
      await join({ email: `ada-${owner.userId}@example.com` });
      const { page, row } = await openMembers(visitor, owner);
      await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('ADA-');
      await row(owner).first().waitFor();
      await page.waitForURL(/search=ADA-/);
      await page.getByText('1–1 of 1').waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      await page.reload();
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('searchbox').fill('nobody has this');
      await page.getByRole('heading', { name: 'No one found' }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('1–2 of 2').waitFor();
    }),
  );

  it(
    'should show the members of the own organization alone',
    dashboard.test(async (visitor) => {
      const stranger = await createMember(dashboard.service);
      const { page, row } = await openMembers(visitor, owner);
      await page.getByText('1–1 of 1').waitFor();
      expect(await row(owner).getByText('you', { exact: true }).count()).toBe(1);
      expect(await row(stranger).count()).toBe(0);
    }),
  );

  it(
    'should tell who may not list members what they lack, and ask the service for none',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const requests: string[] = [];
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await visitor.signInAs(await join({ permissions: ['get-api-keys'] }));
      await page.goto('/dashboard/members');
      await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
      await page.getByText('get-members').waitFor();
      expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
      expect(requests).not.toContain('/members');
    }),
  );

  it(
    'should show roles as text, and no ways to change anything, to who may only look',
    dashboard.test(async (visitor) => {
      const reader = await join({ permissions: ['get-members', 'get-roles'] });
      const { page, row } = await openMembers(visitor, reader);
      await row(owner).getByText(roleName(owner)).waitFor();
      expect(await page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^(Remove|Leave|Invite)/ }).count()).toBe(0);
    }),
  );

  it(
    'should name the permission that is missing to who may change members and not list roles',
    dashboard.test(async (visitor) => {
      const permissions = allPermissions.filter((permission) => permission !== 'get-roles');
      const { page, roleOf } = await openMembers(visitor, await join({ permissions }));
      expect(await roleOf(owner).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Invite member' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Invite member' }).locator('..').focus();
      await page.getByRole('tooltip', { name: 'Requires the get-roles permission' }).waitFor();
    }),
  );
});

describe('Changing a role', () => {
  it(
    'should take effect at once, for what the other sees and for what the service allows',
    dashboard.test(async (visitor) => {
      const other = await join({});
      const viewer = await join({ permissions: ['get-members'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      const others = await openMembers(await dashboard.newVisitor(), other);
      await others.page.getByRole('button', { name: 'Invite member' }).waitFor();

      await roleOf(other).click();
      await page.getByRole('option', { name: roleName(viewer) }).click();
      await page.getByText(`is now ${roleName(viewer)}`).waitFor();

      expect((await changeRole(viewer, other.roleId, other.token)).status).toBe(403);
      await comeBack(others.page);
      await others.page.getByRole('button', { name: 'Invite member' }).waitFor({ state: 'detached' });
      expect((await changeRole(other, other.roleId)).status).toBe(200);
      await comeBack(others.page);
      await others.page.getByRole('button', { name: 'Invite member' }).waitFor();
    }),
  );

  it(
    'should not offer roles that hold more than who gives them, and say what is missing',
    dashboard.test(async (visitor) => {
      const helper = await join({ permissions: ['get-members', 'update-members', 'get-roles'] });
      const { page, roleOf } = await openMembers(visitor, helper);
      await roleOf(owner).click();
      const option = page.getByRole('option', { name: roleName(owner) });
      await option.getByText(`You lack create-api-keys, get-api-keys and ${allPermissions.length - 5} more`).waitFor();
      expect(await option.isDisabled()).toBe(true);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect((await changeRole(helper, owner.roleId, helper.token)).status).toBe(403);
    }),
  );

  it(
    'should ask people who take something from themselves, and show why the service refuses',
    dashboard.test(async (visitor) => {
      const viewer = await join({ permissions: ['get-members', 'get-roles'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      await roleOf(owner).click();
      await page.getByRole('option', { name: roleName(viewer) }).click();
      const dialog = page.getByRole('dialog', { name: `Become ${roleName(viewer)}?` });
      await dialog.getByText('update-members').waitFor();
      await dialog.getByRole('button', { name: 'Change my role' }).click();
      await dialog.getByRole('alert').getByText('No member would be left with').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await roleOf(owner).inputValue()).toBe(roleName(owner));
    }),
  );

  it(
    'should show at once what is left to people who have taken something from themselves',
    dashboard.test(async (visitor) => {
      await join({});
      const viewer = await join({ permissions: ['get-members', 'get-roles'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      await roleOf(owner).click();
      await page.getByRole('option', { name: roleName(viewer) }).click();
      await page.getByRole('button', { name: 'Change my role' }).click();
      await page.getByRole('button', { name: 'Invite member' }).waitFor({ state: 'detached' });
      expect(await roleOf(owner).count()).toBe(0);
    }),
  );
});

describe('Removing a member', () => {
  it(
    'should end their access at once, after a question',
    dashboard.test(async (visitor) => {
      const other = await join({});
      const { page, row } = await openMembers(visitor, owner);
      const remote = await dashboard.newVisitor();
      const others = await openMembers(remote, other);
      remote.problems.expect(/belongs to no organization/);
      await row(other).getByRole('button', { name: 'Remove A member' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove A member?' });
      await dialog.getByText('keep working').waitFor();
      await dialog.getByRole('button', { name: 'Remove member' }).click();
      await row(other).waitFor({ state: 'detached' });

      expect((await call(dashboard.service.url, 'GET /members', { token: other.token })).status).toBe(401);
      await others.page.reload();
      await others.page.getByText('Your account belongs to no organization.').waitFor();
    }),
  );

  it(
    'should lead people who leave to their other organization',
    dashboard.test(async (visitor) => {
      await join({});
      const home = await call(dashboard.service.url, 'POST /organizations', {
        token: owner.token,
        body: { name: 'Home' },
      });
      expect(home.status).toBe(201);
      const { page, row } = await openMembers(visitor, owner);
      await row(owner).getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('button', { name: 'Leave organization' }).click();
      await page.getByRole('button', { name: 'Organization: Home' }).waitFor();
    }),
  );

  it(
    'should show why the last who can administrate cannot leave',
    dashboard.test(async (visitor) => {
      const { page, row } = await openMembers(visitor, owner);
      await row(owner).getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('button', { name: 'Leave organization' }).click();
      await page.getByRole('dialog').getByText('No member would be left with').waitFor();
    }),
  );
});

describe.each(['light', 'dark'] as const)('The page of members in %s colours', (colorScheme) => {
  it(
    'should hinder nobody, at 360 pixels either',
    dashboard.test(
      async (visitor) => {
        await join({ permissions: ['get-members'] });
        const { page, roleOf } = await openMembers(visitor, owner);
        expect(await findAccessibilityViolations(page)).toEqual([]);
        expect(await measureOverflow(page)).toBe(0);
        await roleOf(owner).click();
        await page.getByRole('listbox').waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Remove A member' }).click();
        await page.getByRole('dialog').waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('tab', { name: 'Invitations' }).click();
        await page.getByRole('heading', { name: 'No open invitations' }).waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
      },
      { colorScheme, ...narrowWindow },
    ),
  );
});
