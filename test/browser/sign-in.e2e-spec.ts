import { createAccount, wrongPassword } from '../factories/accounts.js';
import { createMember } from '../factories/organizations.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('Signing in', () => {
  it.each(['/', '/sign-in', '/dashboard/usage', '/accept-invitation#token=unknown'])(
    'should not begin with a request that is refused: %s',
    dashboard.test(async ({ page }, path: string) => {
      const refused: string[] = [];
      page.on('response', (response) => void (response.status() === 401 && refused.push(response.url())));
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(refused).toEqual([]);
    }),
  );

  it(
    'should lead to the API keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signIn(await createAccount(dashboard.service));
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
    }),
  );

  it(
    "should show the service's own words when the password is wrong",
    dashboard.test(async (visitor) => {
      await visitor.signIn({ ...(await createAccount(dashboard.service)), password: wrongPassword });
      await visitor.page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
    }),
  );

  it(
    'should lead back to the page that was asked for',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const account = await createAccount(dashboard.service);
      await page.goto('/dashboard/keys?name=billing');
      await visitor.fillInSignIn(account);
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('billing');
    }),
  );

  it(
    'should not be needed again after a reload',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto('/dashboard/keys');
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    }),
  );

  it(
    'should be spared those who are signed in already',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto(`/sign-in?returnTo=${encodeURIComponent('/dashboard/keys?name=billing')}`);
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('billing');
      await page.goto('/sign-in?error=access-denied');
      await page.getByText('The sign-in was refused at the identity provider.').waitFor();
    }),
  );

  it(
    'should show the logo, and no empty page, until it is known who is signed in',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      await page.route('**/auth/refresh', (route) => held.then(() => route.continue()));
      await Promise.all([page.waitForRequest('**/auth/refresh'), page.goto('/dashboard/keys')]);
      const logo = page.getByRole('img', { name: 'Keycard' });
      await logo.waitFor();
      goOn();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(await logo.count()).toBe(0);
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async ({ page }, colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      await page.goto('/sign-in');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe(colorScheme);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});

describe('Signing out', () => {
  it(
    'should lead to the sign-in, in all windows of the browser',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      const other = await context.newPage();
      for (const window of [page, other]) {
        await window.goto('/dashboard/keys');
        await window.getByRole('heading', { name: 'API keys' }).waitFor();
      }
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      for (const window of [page, other]) await window.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto('/dashboard/keys');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }),
  );
});
