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
  await dashboard.start({ config: { isPasswordSignInOn: false, oidc: oidcSettings(provider) } });
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

/** Somebody whom the provider makes a member of the owner's organization, with the owner's role. */
const meet = () => provider.meet({ organization: owner.organizationId, roles: [`Role ${owner.roleId}`] });
const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
const link = (page: Page) => page.getByRole('link', { name: 'Continue with' });
const nameOfKey = (page: Page) => page.getByRole('dialog', { name: 'Create key' }).getByLabel('Name');

/** The id of the person's account, once they have signed in. */
async function findUserId({ email }: Person): Promise<string> {
  const [user] = await dashboard.service.query<{ id: string }>('select id from users where email = $1', [email]);
  return user?.id ?? '';
}

async function namesOfKeys({ organizationId }: Pick<Member, 'organizationId'>): Promise<string[]> {
  const rows = await dashboard.service.query<{ name: string }>('select name from api_keys where organization_id = $1', [
    organizationId,
  ]);
  return rows.map(({ name }) => name);
}

/** Begins to create a key as this person, whose session then ends. */
async function beginKey({ page, problems }: Visitor, name: string): Promise<void> {
  problems.expect(endedSession);
  await page.getByRole('button', { name: 'Create' }).first().click();
  await nameOfKey(page).fill(name);
  await dashboard.service.query('delete from sessions where user_id = $1', [await findUserId(person)]);
  await page.getByRole('button', { name: 'Create key' }).last().click();
  await signInAgain(page).waitFor();
}

async function signIn({ page }: Visitor): Promise<void> {
  provider.visitor = person;
  await page.goto('/dashboard/keys');
  await link(page).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
}

/** Goes to the provider as this person or as nobody, in the tab that the dialog opens. */
async function openTab({ page, context }: Visitor, visitor: Person | undefined): Promise<Page> {
  // The provider remembers whom it has met.
  await context.clearCookies();
  provider.visitor = visitor;
  const [tab] = await Promise.all([context.waitForEvent('page'), link(page).click()]);
  return tab;
}

describe('Single sign-on in the middle of work', () => {
  it(
    'should happen in a tab of its own, and go on with what was typed, in the organization of the work',
    dashboard.test(async (visitor) => {
      await signIn(visitor);
      const { organizationId } = await createMember(dashboard.service);
      const second = await addMembership(dashboard.service, { userId: await findUserId(person), organizationId });
      await visitor.visit(second, '/dashboard/keys');
      await beginKey(visitor, 'Of the second organization');
      await openTab(visitor, person);
      await visitor.page.getByRole('region', { name: 'Your new key' }).waitFor();
      expect(await namesOfKeys(second)).toEqual(['Of the second organization']);
      expect(await namesOfKeys(owner)).toEqual([]);
    }),
  );

  it(
    'should go on after a second attempt in the same tab',
    dashboard.test(async (visitor) => {
      await signIn(visitor);
      await beginKey(visitor, 'Search indexer');
      const tab = await openTab(visitor, undefined);
      await tab.getByRole('alert').getByText('The sign-in was refused at the identity provider.').waitFor();
      expect(await signInAgain(visitor.page).count()).toBe(1);
      provider.visitor = person;
      await link(tab).click();
      await visitor.page.getByRole('region', { name: 'Your new key' }).waitFor();
      expect(await namesOfKeys(owner)).toEqual(['Search indexer']);
    }),
  );

  it(
    'should do nothing as somebody else',
    dashboard.test(async (visitor) => {
      await signIn(visitor);
      await beginKey(visitor, 'Never created');
      await openTab(visitor, meet());
      await signInAgain(visitor.page).waitFor({ state: 'detached' });
      await visitor.page.getByRole('heading', { name: 'No keys yet' }).waitFor();
      expect(await nameOfKey(visitor.page).count()).toBe(0);
      expect(await namesOfKeys(owner)).toEqual([]);
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours, neither before nor afterwards',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      await page.emulateMedia({ colorScheme });
      await signIn(visitor);
      await beginKey(visitor, 'Search indexer');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await visitor.signInAs({ userId: await findUserId(person), organizationId: owner.organizationId });
      // A tab that the person has gone through several pages in stays open.
      await page.goto('/dashboard/signed-in');
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'start of the dashboard' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    }),
  );
});
