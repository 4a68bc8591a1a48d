import type { Page } from 'playwright-core';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const switcher = (page: Page) => page.getByRole('button', { name: /^Organization: / });

describe('Organization settings', () => {
  it(
    'should limit the lifetime of new keys until the limit is removed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { token } = owner;
      const createKey = () => call(dashboard.service.url, 'POST /api-keys', { token, body: { name: 'A key' } });
      await visitor.visit(owner, '/dashboard/organization');
      const limit = page.getByRole('switch', { name: 'Limit the lifetime of new keys' });
      const days = page.getByRole('textbox', { name: 'Maximum lifetime' });
      const save = page.getByRole('button', { name: 'Save changes' });
      await limit.check();
      await days.fill('0');
      await save.click();
      await expect(page.getByText('Enter a whole number from 1 to 3650.')).toBeVisible();
      await days.fill('30');
      await save.click();
      await expect(page.getByText('Settings saved.').first()).toBeVisible();
      expect((await createKey()).status).toBe(400);

      await limit.uncheck();
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await save.click();
      await saved;
      expect((await createKey()).status).toBe(201);
      await call(dashboard.service.url, 'POST /organizations', { token, body: { name: 'Alpha' } });
      await page.reload();
      await days.waitFor({ state: 'detached' });
      await limit.check();
      await save.click();
      await expect(page.getByText('Settings saved.')).toBeVisible();
      await page.getByRole('button', { name: 'Switch to Alpha' }).click();
      await expect(page.getByRole('button', { name: 'Organization: Alpha' })).toBeVisible();
      await expect(page.getByText('Settings saved.')).toBeHidden();
    }),
  );

  it(
    'should immediately show a changed name in the organization menu',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill(' a ');
      await name.blur();
      await expect(page.getByText('Use at least 2 characters.')).toBeVisible();
      await name.fill('Laboratory');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('button', { name: 'Organization: Laboratory' })).toBeVisible();
    }),
  );

  it(
    "should be read-only for users who can't change them",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = owner;
      await visitor.visit(
        await createMember(dashboard.service, { organizationId, permissions: ['get-api-keys'] }),
        '/dashboard/organization',
      );
      await expect(
        page.getByText('Making changes requires the permission “Change organization settings”.'),
      ).toBeVisible();
      expect(await page.getByRole('textbox', { name: 'Name' }).isEditable()).toBe(false);
      expect(await page.getByRole('switch').isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    }),
  );
});

describe('A new organization', () => {
  it.each([
    ['the menu', (page: Page) => switcher(page).click(), 'menuitem'],
    [
      'the page',
      (page: Page) => expect(page.getByRole('heading', { name: 'Your organizations' })).toBeVisible(),
      'button',
    ],
  ] as const)(
    'should become the current one when created from %s',
    dashboard.test(
      async (visitor, _place: string, open: (page: Page) => Promise<void>, role: 'menuitem' | 'button') => {
        const { page } = visitor;
        await visitor.visit(owner, '/dashboard/organization');
        await open(page);
        await page.getByRole(role, { name: 'Create organization' }).click();
        const dialog = page.getByRole('dialog', { name: 'Create organization' });
        const create = dialog.getByRole('button', { name: 'Create organization' });
        await create.click();
        await expect(dialog.getByText('Use at least 2 characters.')).toBeVisible();
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Research');
        await create.click();
        await expect(page.getByRole('button', { name: 'Organization: Research' })).toBeVisible();
        await expect(page.getByText("Research created. You're in it now.")).toBeVisible();
        await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
        await expect(page.getByRole('main')).toBeFocused();
        await switcher(page).click();
        await expect(page.getByRole('menuitem', { name: 'Research' })).toBeVisible();
        expect(await page.getByRole('menuitem').count()).toBe(3);
      },
    ),
  );
});

describe('Creating an organization', () => {
  it(
    "should be refused with the name of one of the user's organizations",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await call(dashboard.service.url, 'POST /organizations', { token: owner.token, body: { name: 'Alpha' } });
      await visitor.visit(owner, '/dashboard/organization');
      await expect(page.getByRole('button', { name: 'Switch to Alpha' })).toBeVisible();
      await page.getByRole('button', { name: 'Create organization' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create organization' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill(' alpha');
      await dialog.getByRole('button', { name: 'Create organization' }).click();
      await expect(dialog.getByText("You're already in an organization with this name.")).toBeVisible();
    }),
  );
});

describe('The Organization page', () => {
  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await call(dashboard.service.url, 'POST /organizations', { token: owner.token, body: { name: 'Alpha' } });
      await visitor.visit(owner, '/dashboard/organization');
      await expect(page.getByRole('button', { name: 'Switch to Alpha' })).toBeVisible();
      await page.getByRole('switch').check();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create organization' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should fit in a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      await expect(page.getByRole('table')).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});

describe('Deleting the organization', () => {
  const remove = async (page: Page) => {
    await page.getByRole('button', { name: 'Delete organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete organization' });
    const confirm = dialog.getByRole('button', { name: 'Delete organization' });
    expect(await confirm.isDisabled()).toBe(true);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('textbox').fill(`Organization ${owner.organizationId}`);
    await confirm.click();
  };

  it(
    'should lead to another organization of the user',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await call(dashboard.service.url, 'POST /organizations', { token: owner.token, body: { name: 'Alpha' } });
      await visitor.visit(owner, '/dashboard/organization');
      await remove(page);
      await expect(page.getByRole('button', { name: 'Organization: Alpha' })).toBeVisible();
      await expect(page.getByText(`Organization ${owner.organizationId} deleted.`)).toBeVisible();
      expect((await call(dashboard.service.url, 'GET /auth/me', { token: owner.token })).status).toBe(401);
    }),
  );

  it(
    'should lead signed-in members to another of their organizations',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      await call(service.url, 'POST /organizations', { token: owner.token, body: { name: 'Alpha' } });
      const { token } = await createMember(service, { organizationId: owner.organizationId });
      await visitor.visit(owner, '/dashboard/keys');
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      expect((await call(service.url, 'DELETE /organizations/current', { token })).status).toBe(200);
      await page.getByRole('link', { name: 'Members' }).click();
      await expect(page.getByRole('button', { name: 'Organization: Alpha' })).toBeVisible();
    }),
  );

  it(
    'should say so to members who then belong to no organization',
    dashboard.test(async (visitor) => {
      const { page, problems } = visitor;
      problems.expect(/Console: ServiceError: Your account isn't a member of any organization/);
      await visitor.visit(owner, '/dashboard/organization');
      await remove(page);
      await expect(page.getByRole('heading', { name: "You don't belong to an organization" })).toBeVisible();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    }),
  );

  it(
    'should not be offered without the permission',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = owner;
      const permissions = ['update-organization' as const];
      await visitor.visit(
        await createMember(dashboard.service, { organizationId, permissions }),
        '/dashboard/organization',
      );
      await expect(page.getByRole('heading', { name: 'Your organizations' })).toBeVisible();
      expect(await page.getByRole('button', { name: 'Delete organization' }).count()).toBe(0);
    }),
  );
});

describe('The first sign-in', () => {
  const createFirstMember = async () => {
    const member = await createMember(dashboard.service, { name: 'Administrator' });
    await dashboard.service.query(`update organizations set name = 'Default' where id = $1`, [member.organizationId]);
    return member;
  };
  const openFirstPage = async (visitor: Visitor, path = '/dashboard/keys') => {
    await visitor.visit(await createFirstMember(), path);
    await expect(visitor.page.getByRole('heading', { name: 'Welcome to Keycard' })).toBeVisible();
  };

  it(
    'should ask for the names of the organization and the administrator, then show the requested page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openFirstPage(visitor, '/dashboard/members');
      const organizationName = page.getByRole('textbox', { name: 'Organization name' });
      await expect(organizationName).toBeFocused();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await organizationName.fill('Example Ltd.');
      await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Organization: Example Ltd.' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Your account: Ada Lovelace' })).toBeVisible();
      await expect(page.getByRole('main')).toBeFocused();
    }),
  );

  it(
    'should not ask for names again once the user has skipped it in this browser',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openFirstPage(visitor);
      await page.getByRole('button', { name: 'Not now' }).click();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      await expect(page.getByRole('main')).toBeFocused();
      await page.reload();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    }),
  );

  it(
    'should ask before it discards entered names',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openFirstPage(visitor);
      await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
      await page.getByRole('button', { name: 'Not now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    }),
  );
});

describe('Leaving an organization', () => {
  /** Opens the page of the owner's organization as one of its members. Returns the member's other organization. */
  async function visitAsMemberOfTwo(visitor: Visitor): Promise<string> {
    const viewer = await createMember(dashboard.service, {
      organizationId: owner.organizationId,
      permissions: ['get-api-keys'],
    });
    const { organizationId } = await createMember(dashboard.service);
    await addMembership(dashboard.service, { userId: viewer.userId, organizationId });
    await visitor.visit(viewer, '/dashboard/organization');
    return organizationId;
  }

  it(
    'should take no permission, and lead to another organization of the user',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const organizationId = await visitAsMemberOfTwo(visitor);
      await page.getByRole('button', { name: `Leave Organization ${owner.organizationId}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click();
      await expect(page.getByText(`You left Organization ${owner.organizationId}.`)).toBeVisible();
      await expect(page.getByRole('button', { name: `Organization: Organization ${organizationId}` })).toBeVisible();
    }),
  );

  it(
    'should be confirmed even if another request of the page finds out before the response arrives',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const organizationId = await visitAsMemberOfTwo(visitor);
      // The response never arrives.
      const left = new Promise<void>((resolve, reject) => {
        void page.route('**/members/me', (route) => route.fetch().then(() => resolve(), reject));
      });
      await page.getByRole('button', { name: `Leave Organization ${owner.organizationId}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click();
      await left;
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await expect(page.getByText(`You left Organization ${owner.organizationId}.`)).toBeVisible();
      await expect(page.getByRole('button', { name: `Organization: Organization ${organizationId}` })).toBeVisible();
    }),
  );

  it(
    'should be disabled for the last administrator, with the reason',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      const leave = page.getByRole('button', { name: `Leave Organization ${owner.organizationId}` });
      await waitFor(() => leave.isDisabled());
      await leave.locator('..').focus();
      await expect(page.getByRole('tooltip', { name: /^You're the only member who can manage roles/ })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );
});
