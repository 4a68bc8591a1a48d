import { allPermissions } from '../../src/access/permissions.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { openMembers } from './setup/members.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const join = (options: Parameters<typeof createMember>[1]) =>
  createMember(dashboard.service, { organizationId: owner.organizationId, ...options });
const roleName = ({ roleId }: Pick<Member, 'roleId'>) => `Role ${roleId}`;

describe('The Members page', () => {
  it.each([360, 390])(
    'should have its tabs on one line at %i pixels',
    dashboard.test(async (visitor, width: number) => {
      const { page } = visitor;
      await page.setViewportSize({ width, height: 740 });
      const { roleId, token } = owner;
      for (let number = 1; number <= 12; number++) {
        const body = { email: `invited-${number}@example.com`, roleId };
        await call(dashboard.service.url, 'POST /members', { token, body });
      }
      await visitor.visit(owner, '/dashboard/members');
      await page.getByRole('tab', { name: 'Invitations' }).getByText('12').waitFor();
      const tabs = await page.getByRole('tab').all();
      const boxes = await Promise.all(tabs.map((tab) => tab.boundingBox()));
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
      const right = Math.max(...boxes.map((box) => (box === null ? Infinity : box.x + box.width)));
      expect(right).toBeLessThanOrEqual(width - 16);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should search members while the user types, and keep the search in the URL',
    dashboard.test(async (visitor) => {
      await join({ email: `ada-${owner.userId}@example.com` });
      const { page, row } = await openMembers(visitor, owner);
      await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('ADA-');
      await expect(row(owner).first()).toBeVisible();
      await page.waitForURL(/search=ADA-/);
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      expect(await page.getByRole('row').count()).toBe(2);
      await page.reload();
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      await page.getByRole('searchbox').fill('no such member');
      await expect(page.getByRole('heading', { name: 'No members found' })).toBeVisible();
      await page.getByRole('button', { name: 'Clear' }).click();
      await expect(page.getByText('1–2 of 2')).toBeVisible();
    }),
  );

  it(
    "should show only members of the user's organization",
    dashboard.test(async (visitor) => {
      const stranger = await createMember(dashboard.service);
      const { page, row } = await openMembers(visitor, owner);
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      expect(await row(owner).getByText('You', { exact: true }).count()).toBe(1);
      expect(await row(stranger).count()).toBe(0);
    }),
  );

  it(
    'should name the missing permission and request no members without it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const requests: string[] = [];
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await visitor.signInAs(await join({ permissions: ['get-api-keys'] }));
      await page.goto('/dashboard/members');
      await expect(page.getByRole('heading', { name: "You don't have access to this page" })).toBeVisible();
      await expect(page.getByText('“List members and invitations”')).toBeVisible();
      expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
      expect(requests).not.toContain('/members');
    }),
  );

  it(
    'should offer no changes to users who can only view members',
    dashboard.test(async (visitor) => {
      const reader = await join({ permissions: ['get-members', 'get-roles'] });
      const { page, row } = await openMembers(visitor, reader);
      await expect(row(owner).getByText(roleName(owner))).toBeVisible();
      expect(await page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^(Remove|Invite)/ }).count()).toBe(0);
      await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible();
    }),
  );

  it(
    'should name the missing permission to users who can change members but not list roles',
    dashboard.test(async (visitor) => {
      const permissions = allPermissions.filter((permission) => permission !== 'get-roles');
      const { page, roleOf } = await openMembers(visitor, await join({ permissions }));
      expect(await roleOf(owner).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Invite member' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Invite member' }).locator('..').focus();
      await expect(page.getByRole('tooltip', { name: 'Requires the permission “List roles”' })).toBeVisible();
    }),
  );
});

describe('Removing a member', () => {
  it(
    'should ask for confirmation, then end their access immediately',
    dashboard.test(async (visitor) => {
      const other = await join({});
      const { page, row } = await openMembers(visitor, owner);
      const remote = await dashboard.newVisitor();
      const others = await openMembers(remote, other);
      remote.problems.expect(/isn't a member of any organization/);
      await row(other).getByRole('button', { name: 'Remove A member' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove A member?' });
      await expect(dialog.getByText('They created no API keys')).toBeVisible();
      await dialog.getByRole('button', { name: 'Remove member' }).click();
      await expect(row(other)).toBeHidden();

      expect((await call(dashboard.service.url, 'GET /members', { token: other.token })).status).toBe(401);
      await others.page.getByRole('link', { name: 'Usage' }).click();
      await expect(others.page.getByRole('heading', { name: "You don't belong to an organization" })).toBeVisible();
    }),
  );

  it(
    'should take users who leave to their other organization',
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
      await expect(page.getByRole('button', { name: 'Organization: Home' })).toBeVisible();
    }),
  );

  it(
    "should say beforehand why the last administrator can't leave, and what to do",
    dashboard.test(async (visitor) => {
      const { page, row } = await openMembers(visitor, owner);
      const leave = row(owner).getByRole('button', { name: 'Leave' });
      await waitFor(() => leave.isDisabled());
      await leave.locator('..').focus();
      await expect(
        page.getByRole('tooltip', { name: /To leave, first give another member a role that can, such as Owner/ }),
      ).toBeVisible();
    }),
  );

  it(
    "should say on a phone, too, why the last administrator can't leave",
    dashboard.test(async (visitor) => {
      const { page } = await openMembers(visitor, owner);
      const leave = page.getByRole('button', { name: 'Leave' });
      await waitFor(() => leave.isDisabled());
      await leave.locator('..').tap();
      const reason = page.getByRole('tooltip', { name: /^You're the only member who can manage roles and members/ });
      await expect(reason).toBeVisible();
      await page.getByRole('heading', { level: 1 }).tap();
      await expect(reason).toBeHidden();
    }, narrowWindow),
  );
});

describe('The Members page', () => {
  it(
    'should have no accessibility violations in light or dark mode in a narrow window',
    dashboard.test(async (visitor) => {
      await join({ permissions: ['get-members'] });
      const { page, roleOf } = await openMembers(visitor, owner);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
      await roleOf(owner).click();
      await expect(page.getByRole('listbox')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Remove A member' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Invitations' }).click();
      await expect(page.getByRole('heading', { name: 'No pending invitations' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});
