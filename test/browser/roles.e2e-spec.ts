import type { Page } from 'playwright-core';
import type { Permission } from '../../src/access/permissions.js';
import type { RoleDto, RoleListDto } from '../../src/organizations/roles/dto/role.dto.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

let owner: Member;
beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const join = (permissions: Permission[]) =>
  createMember(dashboard.service, { organizationId: owner.organizationId, permissions });
const nameOfRole = ({ roleId }: Member) => `Role ${roleId}`;

async function createRole(name: string, permissions: Permission[]): Promise<RoleDto> {
  const answer = await call(dashboard.service.url, 'POST /roles', { token: owner.token, body: { name, permissions } });
  return answer.body as RoleDto;
}

async function findRole(name: string): Promise<RoleDto | undefined> {
  const { body } = await call(dashboard.service.url, 'GET /roles', { token: owner.token });
  return (body as RoleListDto).roles.find((role) => role.name === name);
}

/** Opens the editor of a role. */
async function openRole(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog', { name }).waitFor();
}

describe('A role', () => {
  it(
    'should be created, shown in the matrix, and count at once for a member who is given it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join([]);
      await visitor.visit(owner, '/dashboard/roles');
      await page.getByRole('button', { name: 'Create role' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Auditor');
      await page.getByRole('checkbox', { name: 'List roles' }).check();
      await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click();
      await page.getByRole('columnheader', { name: /^Auditor 0 members/ }).waitFor();
      const row = page.getByRole('row', { name: /^List roles / });
      expect(await row.getByRole('cell').allTextContents()).toEqual(['Yes', 'No', 'Yes']);

      const asMember = () => call(dashboard.service.url, 'GET /roles', { token: member.token });
      expect((await asMember()).status).toBe(403);
      const roleId = (await findRole('Auditor'))?.id;
      const change = { token: owner.token, body: { roleId } };
      await call(dashboard.service.url, `PATCH /members/${member.membershipId}`, change);
      expect((await asMember()).status).toBe(200);
    }),
  );

  it(
    'should send only what was changed, so that changes of others stay',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createRole('Auditor', ['get-usage']);
      await visitor.visit(owner, '/dashboard/roles');
      await openRole(page, 'Auditor');
      const body = { permissions: ['get-usage', 'get-roles'] };
      await call(dashboard.service.url, `PATCH /roles/${id}`, { token: owner.token, body });
      await page.getByRole('textbox', { name: 'Name' }).fill('Reader');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('columnheader', { name: /^Reader / }).waitFor();
      expect((await findRole('Reader'))?.permissions).toEqual(['get-usage', 'get-roles']);
    }),
  );

  it(
    'should not take a name that another has, and say so next to the name',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole('Auditor', []);
      await createRole('Reader', []);
      await visitor.visit(owner, '/dashboard/roles');
      await openRole(page, 'Reader');
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill('a');
      await name.blur();
      await page.getByText('Use at least 2 characters.').waitFor();
      await name.fill('Auditor');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('A role named Auditor already exists. Choose another name.').waitFor();
      expect(await name.getAttribute('aria-invalid')).toBe('true');
    }),
  );

  it(
    'should not be deleted while members have it, in the words of the service, and be gone afterwards',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join([]);
      await visitor.visit(owner, '/dashboard/roles');
      const name = nameOfRole(member);
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete role' }).click();
      await page.getByRole('dialog').getByText('One member has this role.').waitFor();
      const button = page.getByRole('button', { name: 'Delete role' });
      expect(await button.isDisabled()).toBe(true);
      await page.getByLabel(`Type ${name} to confirm`).fill(name);
      await button.click();
      await page.getByRole('alert').getByText('The role is in use by 1 member').waitFor();

      const { token } = owner;
      await call(dashboard.service.url, `DELETE /members/${member.membershipId}`, { token });
      await button.click();
      await page.getByRole('columnheader', { name: new RegExp(name) }).waitFor({ state: 'detached' });
      expect(await findRole(name)).toBeUndefined();
    }),
  );
});

describe('What somebody does not hold', () => {
  it(
    'should lock the name of a role that holds it, and of no other role',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole('Auditor', ['get-usage']);
      await createRole('Reader', ['get-roles']);
      await visitor.visit(await join(['get-roles', 'update-roles']), '/dashboard/roles');
      await openRole(page, 'Auditor');
      const name = page.getByRole('textbox', { name: 'Name' });
      expect(await name.isEditable()).toBe(false);
      await page.getByText("You can't rename a role that holds permissions you don't have.").waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await name.waitFor({ state: 'detached' });
      await openRole(page, 'Reader');
      await name.fill('Role reader');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('columnheader', { name: /^Role reader / }).waitFor();
    }),
  );

  it(
    'should be locked and say why, whether it is to be granted or taken away',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole('Auditor', ['get-usage']);
      await visitor.visit(await join(['get-roles', 'update-roles']), '/dashboard/roles');
      await openRole(page, 'Auditor');
      const cases = [
        ['See usage', 'You do not hold this permission, so you cannot take it away.'],
        ['Invite members', 'You do not hold this permission, so you cannot grant it.'],
      ] as const;
      for (const [name, reason] of cases) {
        const checkbox = page.getByRole('checkbox', { name });
        expect(await checkbox.isDisabled()).toBe(true);
        await page.getByRole('checkbox', { name, description: reason }).waitFor();
      }
      expect(await page.getByRole('checkbox', { name: 'List roles' }).isEnabled()).toBe(true);
    }),
  );

  it(
    'should be refused in the words of the service when it was held until just now',
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
      await page.getByRole('alert').getByText('Your role lacks get-usage').waitFor();
      await page.getByRole('group', { name: 'Usage' }).getByText('You do not hold this permission').waitFor();
      expect(await findRole('Auditor')).toBeUndefined();
    }),
  );

  it(
    'should be gone from the page as soon as somebody takes it from their own role, which is warned of',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join(['get-roles', 'update-roles', 'get-usage']);
      await visitor.visit(member, '/dashboard/roles');
      await page.getByRole('link', { name: 'Usage' }).waitFor();
      await openRole(page, nameOfRole(member));
      await page.getByRole('checkbox', { name: 'See usage' }).uncheck();
      await page.getByText('This is your own role. Once you save, you lose: See usage.').waitFor();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('link', { name: 'Usage' }).waitFor({ state: 'detached' });
    }),
  );

  it(
    'should not be taken from the last who can put everything right again',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/roles');
      await openRole(page, nameOfRole(owner));
      await page.getByRole('checkbox', { name: 'Change roles' }).uncheck();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('alert').getByText('No member would be left with').waitFor();
    }),
  );
});

describe('Unsaved changes', () => {
  it(
    'should be lost only after a question, when the editor is closed and when the page is left',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole('Auditor', []);
      await visitor.signInAs(owner);
      await page.goto('/dashboard/organization');
      await page.getByRole('link', { name: 'Roles' }).click();
      await openRole(page, 'Auditor');
      await page.getByRole('checkbox', { name: 'See usage' }).check();
      const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      await page.keyboard.press('Escape');
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await page.getByRole('checkbox', { name: 'See usage' }).isChecked()).toBe(true);

      await page.goBack();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      await page.waitForURL('**/dashboard/roles');

      await page.goBack();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
      expect((await findRole('Auditor'))?.permissions).toEqual([]);
    }),
  );
});

describe('Roles without the permission', () => {
  it(
    'should only be read by those who may not change them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await join(['get-roles']);
      await visitor.visit(member, '/dashboard/roles');
      expect(await page.getByRole('button', { name: 'Create role' }).count()).toBe(0);
      await page.getByRole('button', { name: `Actions for ${nameOfRole(owner)}` }).click();
      await page.getByRole('menuitem', { name: 'View role' }).waitFor();
      expect(await page.getByRole('menuitem').count()).toBe(1);
      await page.getByRole('menuitem').click();
      await page.getByText('Making changes requires the update-roles permission').waitFor();
      expect(await page.getByRole('checkbox', { disabled: false }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    }),
  );

  it(
    'should name the permission to those who may not see them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await join(['get-api-keys']));
      await page.goto('/dashboard/roles');
      await page.getByText("doesn't include the get-roles permission").waitFor();
      expect(await page.getByRole('link', { name: 'Roles' }).count()).toBe(0);
    }),
  );
});

describe('The page of roles', () => {
  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      await page.emulateMedia({ colorScheme });
      await createRole('Auditor', ['get-usage']);
      await visitor.visit(await join(['get-roles', 'update-roles', 'delete-roles']), '/dashboard/roles');
      await page.getByRole('table').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await openRole(page, 'Auditor');
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should fit on a narrow screen, where roles are listed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole('Auditor', ['get-usage']);
      await visitor.visit(owner, '/dashboard/roles');
      await page.getByRole('listitem').filter({ hasText: 'Auditor' }).getByText('1 of 15 permissions').waitFor();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});
