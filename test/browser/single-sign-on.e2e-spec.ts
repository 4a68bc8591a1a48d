import { createMember, type Member } from '../factories/organizations.js';
import { oidcSettings } from '../oidc/oidc-settings.js';
import { TestProvider } from '../oidc/test-provider.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { Dashboard } from './setup/dashboard.js';

const provider = new TestProvider();
const dashboard = new Dashboard();
let owner: Member;

beforeAll(async () => {
  await provider.start();
  await dashboard.start({ config: { oidc: oidcSettings(provider) } });
  provider.registerClient(dashboard.service.url);
  owner = await createMember(dashboard.service);
  await dashboard.service.query(`update roles set name = 'Viewer' where id = $1`, [owner.roleId]);
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});

const button = () => `Continue with ${new URL(provider.issuer).host}`;

describe('Single sign-on', () => {
  it.each(['/dashboard/keys?name=billing', '/dashboard/keys?name=Zo%C3%AB+%5C'])(
    'should return from the identity provider to %s',
    dashboard.test(async ({ page }, path: string) => {
      provider.visitor = provider.meet({ organization: owner.organizationId, roles: ['Viewer'] });
      await page.goto(path);
      await page.getByRole('link', { name: button() }).click();
      await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
      const name = new URL(path, dashboard.service.url).searchParams.get('name');
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe(name);
    }),
  );

  it(
    'should show a dismissible notice if it removed the password of an unverified account',
    dashboard.test(async ({ page }) => {
      const person = provider.meet({ organization: owner.organizationId, roles: ['Viewer'] });
      await createMember(dashboard.service, { email: person.email, passwordHash: 'set by someone else' });
      provider.visitor = person;
      await page.goto('/dashboard/keys');
      await page.getByRole('link', { name: button() }).click();
      const notice = page.getByRole('status').filter({ hasText: 'password was removed' });
      await expect(notice).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await notice.getByRole('link', { name: 'your organizations' }).click();
      await expect(page.getByRole('heading', { name: 'Organization', exact: true })).toBeVisible();
      await notice.getByRole('button', { name: 'Dismiss' }).click();
      await expect(notice).toBeHidden();
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Organization', exact: true })).toBeVisible();
      expect(await notice.count()).toBe(0);
    }),
  );

  it(
    'should explain why it failed',
    dashboard.test(async ({ page }) => {
      provider.visitor = undefined;
      await page.goto('/sign-in');
      await page.getByRole('link', { name: button() }).click();
      await expect(page.getByRole('alert').getByText('Your identity provider denied the sign-in.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    "should explain that the user doesn't belong to an organization",
    dashboard.test(async ({ page }) => {
      provider.visitor = provider.meet();
      await page.goto('/sign-in');
      await page.getByRole('link', { name: button() }).click();
      await expect(page.getByText("You don't belong to an organization.")).toBeVisible();
    }),
  );
});
