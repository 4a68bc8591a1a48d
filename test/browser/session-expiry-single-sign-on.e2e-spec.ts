import type { Page } from 'playwright-core';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { oidcSettings } from '../oidc/oidc-settings.js';
import { type Person, TestProvider } from '../oidc/test-provider.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { Dashboard } from './setup/dashboard.js';
import { endedSession } from './setup/problems.js';
import type { Visitor } from './setup/visitor.js';

const provider = new TestProvider();
const dashboard = new Dashboard();
let owner: Member;
let person: Person;

beforeAll(async () => {
  await provider.start();
  await dashboard.start({ config: { passwordSignIn: false, oidc: oidcSettings(provider) } });
  provider.registerClient(dashboard.service.url);
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});
beforeEach(async () => {
  owner = await createMember(dashboard.service);
  person = meet();
});

/** Someone whom the provider makes a member of the owner's organization, with the owner's role. */
const meet = () => provider.meet({ organization: owner.organizationId, roles: [`Role ${owner.roleId}`] });
const signInDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
const providerLink = (page: Page) => page.getByRole('link', { name: 'Continue with' });
const nameField = (page: Page) => page.getByRole('dialog', { name: 'Create key' }).getByLabel('Name');

/** Finds the id of the person's account, which exists after their first sign-in. */
async function findUserId({ email }: Person): Promise<string> {
  const [user] = await dashboard.service.query<{ id: string }>('select id from users where email = $1', [email]);
  return user?.id ?? '';
}

async function listKeyNames({ organizationId }: Pick<Member, 'organizationId'>): Promise<string[]> {
  const rows = await dashboard.service.query<{ name: string }>('select name from api_keys where organization_id = $1', [
    organizationId,
  ]);
  return rows.map(({ name }) => name);
}

/** Fills in the form to create a key and submits it after the session has ended. */
async function submitKeyWithoutSession({ page, problems }: Visitor, name: string): Promise<void> {
  problems.expect(endedSession);
  await page.getByRole('button', { name: /^Create (key|your first key)$/ }).click();
  await nameField(page).fill(name);
  await dashboard.service.query('delete from sessions where user_id = $1', [await findUserId(person)]);
  await page.getByRole('button', { name: 'Create key' }).last().click();
  await expect(signInDialog(page)).toBeVisible();
}

async function signIn({ page }: Visitor): Promise<void> {
  provider.visitor = person;
  await page.goto('/dashboard/keys');
  await providerLink(page).click();
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
}

/** Follows the dialog's link to the provider, which opens a tab and signs in this person, if any. */
async function openProviderTab({ page, context }: Visitor, signedIn: Person | undefined): Promise<Page> {
  // The provider remembers who is signed in.
  await context.clearCookies();
  provider.visitor = signedIn;
  const [tab] = await Promise.all([context.waitForEvent('page'), providerLink(page).click()]);
  return tab;
}

describe('Single sign-on after the session has ended', () => {
  it(
    'should open in a new tab, then submit what the user had typed in the same organization',
    dashboard.test(async (visitor) => {
      await signIn(visitor);
      const { organizationId } = await createMember(dashboard.service);
      const second = await addMembership(dashboard.service, { userId: await findUserId(person), organizationId });
      await visitor.visit(second, '/dashboard/keys');
      await submitKeyWithoutSession(visitor, 'Of the second organization');
      await openProviderTab(visitor, person);
      await expect(visitor.page.getByRole('region', { name: 'Your new key' })).toBeVisible();
      expect(await listKeyNames(second)).toEqual(['Of the second organization']);
      expect(await listKeyNames(owner)).toEqual([]);
    }),
  );

  it(
    'should resume after a second attempt in the same tab',
    dashboard.test(async (visitor) => {
      await signIn(visitor);
      await submitKeyWithoutSession(visitor, 'Search indexer');
      const tab = await openProviderTab(visitor, undefined);
      await expect(tab.getByRole('alert').getByText('Your identity provider denied the sign-in.')).toBeVisible();
      expect(await signInDialog(visitor.page).count()).toBe(1);
      provider.visitor = person;
      await providerLink(tab).click();
      await expect(visitor.page.getByRole('region', { name: 'Your new key' })).toBeVisible();
      expect(await listKeyNames(owner)).toEqual(['Search indexer']);
    }),
  );

  it(
    'should not act as another user',
    dashboard.test(async (visitor) => {
      await signIn(visitor);
      await submitKeyWithoutSession(visitor, 'Never created');
      await openProviderTab(visitor, meet());
      await expect(signInDialog(visitor.page)).toBeHidden();
      await expect(visitor.page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      expect(await nameField(visitor.page).count()).toBe(0);
      expect(await listKeyNames(owner)).toEqual([]);
    }),
  );

  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await signIn(visitor);
      await submitKeyWithoutSession(visitor, 'Search indexer');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await visitor.signInAs({ userId: await findUserId(person), organizationId: owner.organizationId });
      // Browsers only close tabs without a history, so the page may stay open.
      await page.goto('/dashboard/signed-in');
      await expect(page.getByRole('heading', { name: "You're signed in" })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'go to the dashboard' }).click();
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    }),
  );
});
