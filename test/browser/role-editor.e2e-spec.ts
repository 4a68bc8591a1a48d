import type { Permission } from '../../src/access/permissions.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { createRole, findRole, openRole } from './setup/roles.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const join = (permissions: Permission[]) =>
  createMember(dashboard.service, { organizationId: owner.organizationId, permissions });
const nameOfRole = ({ roleId }: Member) => `Role ${roleId}`;

describe('A permission the user lacks', () => {
  it(
    'should lock the name of roles that have it, but not of others',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Auditor', ['get-usage']);
      await createRole(dashboard.service, owner, 'Reader', ['get-roles']);
      await visitor.visit(await join(['get-roles', 'update-roles']), '/dashboard/roles');
      await openRole(page, 'Auditor');
      const name = page.getByRole('textbox', { name: 'Name' });
      expect(await name.isEditable()).toBe(false);
      await expect(page.getByText("You can't rename a role with permissions you don't have.")).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(name).toBeHidden();
      await openRole(page, 'Reader');
      await name.fill('Role reader');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('columnheader', { name: /^Role reader / })).toBeVisible();
    }),
  );

  it(
    'should be locked, with an explanation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Auditor', ['get-usage']);
      await visitor.visit(await join(['get-roles', 'update-roles']), '/dashboard/roles');
      await openRole(page, 'Auditor');
      const cases = [
        ['See usage', "You don't have this permission, so you can't remove it."],
        ['Invite members', "You don't have this permission, so you can't grant it."],
      ] as const;
      for (const [name, reason] of cases) {
        const checkbox = page.getByRole('checkbox', { name });
        expect(await checkbox.isDisabled()).toBe(true);
        await expect(page.getByRole('checkbox', { name, description: reason })).toBeVisible();
      }
      expect(await page.getByRole('checkbox', { name: 'List roles' }).isEnabled()).toBe(true);
    }),
  );

  it(
    'should be rejected by the API if the user has only just lost it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join(['get-roles', 'create-roles', 'get-usage']);
      await visitor.visit(member, '/dashboard/roles');
      await page.getByRole('button', { name: 'Create role' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Auditor');
      await page.getByRole('checkbox', { name: 'See usage' }).check();
      const body = { permissions: ['get-roles', 'create-roles'] };
      await call(dashboard.service.url, `PATCH /roles/${member.roleId}`, { token: owner.token, body });
      await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click();
      await expect(page.getByRole('alert').getByText('Your role lacks get-usage')).toBeVisible();
      await expect(
        page.getByRole('group', { name: 'Usage' }).getByText("You don't have this permission"),
      ).toBeVisible();
      expect(await findRole(dashboard.service, owner, 'Auditor')).toBeUndefined();
    }),
  );

  it(
    'should show a warning before users lose it by changing their own role',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join(['get-roles', 'update-roles', 'get-usage']);
      await visitor.visit(member, '/dashboard/roles');
      await expect(page.getByRole('link', { name: 'Usage' })).toBeVisible();
      await openRole(page, nameOfRole(member));
      await page.getByRole('checkbox', { name: 'See usage' }).uncheck();
      await expect(page.getByText('Saving removes “See usage” from your own role.')).toBeVisible();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('link', { name: 'Usage' })).toBeHidden();
    }),
  );

  it(
    "should show why the last administrator can't give up permissions",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/roles');
      await openRole(page, nameOfRole(owner));
      await page.getByRole('checkbox', { name: 'Change roles' }).uncheck();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('alert').getByText('This would leave no member with the permissions')).toBeVisible();
    }),
  );
});

describe('A role whose holders would not see a page', () => {
  it(
    'should have a hint that names the missing permission, which goes away with it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/roles');
      await page.getByRole('button', { name: 'Create role' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Robot');
      const hint = page.getByText("Without “List API keys”, people with this role don't see the API keys page.");
      await expect(page.getByRole('checkbox', { name: 'Create API keys' })).toBeVisible();
      await expect(hint).toBeHidden();
      await page.getByRole('checkbox', { name: 'Create API keys' }).check();
      await expect(page.getByRole('group', { name: 'API keys' }).getByRole('status').and(hint)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('checkbox', { name: 'List API keys' }).check();
      await expect(hint).toBeHidden();
    }),
  );

  it.each([
    [['create-api-keys'], 'API keys', "Without “List API keys”, people with this role don't see the API keys page."],
    [['update-roles'], 'Roles', "Without “List roles”, people with this role don't see the Roles page."],
    [
      ['delete-members', 'get-roles'],
      'Members',
      "Without “List members and invitations”, people with this role don't see the Members page.",
    ],
    [
      ['create-service-accounts', 'get-members'],
      'Service accounts',
      "Without “List service accounts”, people with this role don't see service accounts on the Members page.",
    ],
    [
      ['get-service-accounts'],
      'Service accounts',
      "Without “List members and invitations”, people with this role don't see service accounts on the Members page.",
    ],
  ] satisfies [Permission[], string, string][])(
    'should not give access to that page (%j)',
    dashboard.test(async (visitor, permissions: Permission[], group: string, hint: string) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Robot', permissions);
      await visitor.visit(owner, '/dashboard/roles');
      await openRole(page, 'Robot');
      await expect(page.getByRole('group', { name: group }).getByText(hint)).toBeVisible();
      const other = await dashboard.newVisitor();
      await other.visit(await join(permissions), '/dashboard/members?view=service-accounts');
      await expect(other.page.getByRole('link', { name: 'Playground' })).toBeVisible();
      expect(await other.page.getByRole('link', { name: group, exact: true }).count()).toBe(0);
      expect(await other.page.getByRole('tab', { name: group, exact: true }).count()).toBe(0);
    }),
  );
});

describe('Unsaved changes to a role', () => {
  it(
    'should only be discarded after confirmation, when closing the editor or leaving the page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole(dashboard.service, owner, 'Auditor', []);
      await visitor.signInAs(owner);
      await page.goto('/dashboard/organization');
      await page.getByRole('link', { name: 'Roles' }).click();
      await openRole(page, 'Auditor');
      await page.getByRole('checkbox', { name: 'See usage' }).check();
      const confirmation = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      await page.keyboard.press('Escape');
      await expect(confirmation).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(confirmation).toBeHidden();
      expect(await page.getByRole('checkbox', { name: 'See usage' }).isChecked()).toBe(true);

      await page.goBack();
      await confirmation.getByRole('button', { name: 'Keep editing' }).click();
      await expect(confirmation).toBeHidden();
      await page.waitForURL('**/dashboard/roles');

      await page.goBack();
      await confirmation.getByRole('button', { name: 'Discard changes' }).click();
      await expect(page.getByRole('heading', { name: 'Organization', exact: true })).toBeVisible();
      expect((await findRole(dashboard.service, owner, 'Auditor'))?.permissions).toEqual([]);
    }),
  );
});
