import { allPermissions, type Permission } from '../../src/access/permissions.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import { createRole, findRole, openRole } from './setup/roles.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const join = (permissions: Permission[]) =>
  createMember(dashboard.service, { organizationId: owner.organizationId, permissions });
const nameOfRole = ({ roleId }: Pick<Member, 'roleId'>) => `Role ${roleId}`;

describe('A role', () => {
  it(
    "should appear in the matrix once created, and apply immediately to a member it's assigned to",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join([]);
      await visitor.visit(owner, '/dashboard/roles');
      await page.getByRole('button', { name: 'Create role' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Auditor');
      await page.getByRole('checkbox', { name: 'List roles' }).check();
      await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click();
      await expect(page.getByRole('columnheader', { name: /^Auditor 0 members/ })).toBeVisible();
      const row = page.getByRole('row', { name: /^List roles / });
      expect(await row.getByRole('cell').allTextContents()).toEqual(['Yes', 'No', 'Yes']);

      const asMember = () => call(dashboard.service.url, 'GET /roles', { token: member.token });
      expect((await asMember()).status).toBe(403);
      const roleId = (await findRole(dashboard.service, owner, 'Auditor'))?.id;
      const change = { token: owner.token, body: { roleId } };
      await call(dashboard.service.url, `PATCH /members/${member.membershipId}`, change);
      expect((await asMember()).status).toBe(200);
    }),
  );

  it(
    'should be copied with its permissions, except those that the user lacks',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Auditor', ['get-usage', 'get-audit-events']);
      const creator = await join(['get-roles', 'create-roles', 'get-usage']);
      await visitor.visit(creator, '/dashboard/roles');
      await page.getByRole('button', { name: 'Actions for Auditor' }).click();
      await page.getByRole('menuitem', { name: 'Copy role' }).click();
      const dialog = page.getByRole('dialog', { name: 'Copy Auditor' });
      expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Copy of Auditor');
      expect(await dialog.getByRole('checkbox', { name: 'See usage' }).isChecked()).toBe(true);
      await expect(dialog.getByText("The copy leaves out 1 permission that you don't have.")).toBeVisible();
      await dialog.getByRole('button', { name: 'Create role' }).click();
      await expect(page.getByRole('columnheader', { name: /^Copy of Auditor / })).toBeVisible();
      expect((await findRole(dashboard.service, owner, 'Copy of Auditor'))?.permissions).toEqual(['get-usage']);
      expect((await findRole(dashboard.service, owner, 'Auditor'))?.permissions).toEqual([
        'get-usage',
        'get-audit-events',
      ]);
    }),
  );

  it(
    'should keep concurrent changes to other fields when saved',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createRole(dashboard.service, owner, 'Auditor', ['get-usage']);
      await visitor.visit(owner, '/dashboard/roles');
      await openRole(page, 'Auditor');
      const body = { permissions: ['get-usage', 'get-roles'] };
      await call(dashboard.service.url, `PATCH /roles/${id}`, { token: owner.token, body });
      await page.getByRole('textbox', { name: 'Name' }).fill('Reader');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('columnheader', { name: /^Reader / })).toBeVisible();
      expect((await findRole(dashboard.service, owner, 'Reader'))?.permissions).toEqual(['get-usage', 'get-roles']);
    }),
  );

  it(
    'should show an error next to a name that is too short or taken',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Auditor', []);
      await createRole(dashboard.service, owner, 'Reader', []);
      await visitor.visit(owner, '/dashboard/roles');
      await openRole(page, 'Reader');
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill('a');
      await name.blur();
      await expect(page.getByText('Use at least 2 characters.')).toBeVisible();
      await name.fill('Auditor');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('A role named Auditor already exists. Choose another name.')).toBeVisible();
      expect(await name.getAttribute('aria-invalid')).toBe('true');
    }),
  );

  it(
    'should only be deletable once no member, service account or invitation has it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join([]);
      const account = await createServiceAccount(dashboard.service, owner, []);
      const { id } = await createRole(dashboard.service, owner, 'Auditor', []);
      const invitation = { email: 'ada@example.org', roleId: member.roleId };
      await call(dashboard.service.url, 'POST /members', { token: owner.token, body: invitation });
      await visitor.visit(owner, '/dashboard/roles');
      const item = page.getByRole('menuitem', { name: 'Delete role' });
      const openMenu = (name: string) => page.getByRole('button', { name: `Actions for ${name}` }).click();
      const button = page.getByRole('button', { name: 'Delete role' });
      await openMenu(nameOfRole(member));
      await expect(page.getByText('This role is in use by 1 member and 1 invitation.')).toBeVisible();
      expect(await item.isDisabled()).toBe(true);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await openMenu(nameOfRole(account));
      await expect(page.getByText('This role is in use by 1 service account.')).toBeVisible();
      expect(await item.isDisabled()).toBe(true);
      await page.keyboard.press('Escape');

      await openMenu('Auditor');
      await item.click();
      expect(await button.isDisabled()).toBe(true);
      await page.getByLabel('Type Auditor to confirm').fill('Auditor');
      const { token } = owner;
      const path = `/members/${member.membershipId}` as const;
      await call(dashboard.service.url, `PATCH ${path}`, { token, body: { roleId: id } });
      await button.click();
      await expect(page.getByRole('alert').getByText('The role is in use by 1 member')).toBeVisible();
      await call(dashboard.service.url, `DELETE ${path}`, { token });
      await button.click();
      await expect(page.getByRole('columnheader', { name: /^Auditor / })).toBeHidden();
      expect(await findRole(dashboard.service, owner, 'Auditor')).toBeUndefined();
    }),
  );
});

describe('Roles', () => {
  it(
    "should be read-only for users who can't change them",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join(['get-roles']);
      await visitor.visit(member, '/dashboard/roles');
      expect(await page.getByRole('button', { name: 'Create role' }).count()).toBe(0);
      await page.getByRole('button', { name: `Actions for ${nameOfRole(owner)}` }).click();
      await expect(page.getByRole('menuitem', { name: 'View role' })).toBeVisible();
      expect(await page.getByRole('menuitem').count()).toBe(1);
      await page.getByRole('menuitem').click();
      await expect(page.getByText('Making changes requires the permission “Change roles”.')).toBeVisible();
      expect(await page.getByRole('checkbox', { disabled: false }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    }),
  );

  it(
    "should be hidden from users who can't list them",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await join(['get-api-keys']));
      await page.goto('/dashboard/roles');
      await expect(page.getByText("doesn't include the permission “List roles”")).toBeVisible();
      expect(await page.getByRole('link', { name: 'Roles' }).count()).toBe(0);
    }),
  );
});

describe('The Roles page', () => {
  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Auditor', ['get-usage']);
      await visitor.visit(await join(['get-roles', 'update-roles', 'delete-roles']), '/dashboard/roles');
      await expect(page.getByRole('table')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await openRole(page, 'Auditor');
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should have rows of whole pixels, so that the lines below sticky and other cells meet',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/roles');
      const rows = page.getByRole('table', { name: 'Permissions by role' }).locator('tbody tr');
      await expect(rows.first()).toBeVisible();
      const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
      expect(boxes.filter((box) => !Number.isInteger(box?.height))).toEqual([]);
    }),
  );

  it(
    'should show a shadow at the right edge of the matrix until the last role is scrolled into view',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      for (const name of ['Auditor', 'Biller', 'Chemist', 'Driver', 'Editor', 'Farmer'])
        await createRole(dashboard.service, owner, name, ['get-usage']);
      await visitor.visit(owner, '/dashboard/roles');
      const shadow = page.locator('[data-more]');
      await expect(shadow).toBeVisible();
      await page.getByRole('columnheader', { name: /^Farmer / }).scrollIntoViewIfNeeded();
      await expect(shadow).toBeHidden();
      await page.setViewportSize({ width: 2560, height: 800 });
      await expect(shadow).toBeHidden();
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('columnheader', { name: /^Auditor / }).scrollIntoViewIfNeeded();
      await expect(shadow).toBeVisible();
    }),
  );

  it(
    'should list roles instead of the matrix in a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Auditor', ['get-usage']);
      await visitor.visit(owner, '/dashboard/roles');
      const auditor = page.getByRole('listitem').filter({ hasText: 'Auditor' });
      await expect(auditor.getByText(`1 of ${allPermissions.length} permissions`)).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});
