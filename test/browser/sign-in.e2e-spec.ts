import { createAccount, wrongPassword } from '../factories/accounts.js';
import { createMember } from '../factories/organizations.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('Signing in', () => {
  it.each(['/', '/sign-in', '/dashboard/usage', '/accept-invitation#token=unknown'])(
    'should not send unauthenticated requests when %s is opened',
    dashboard.test(async ({ page }, path: string) => {
      const rejected: string[] = [];
      page.on('response', (response) => void (response.status() === 401 && rejected.push(response.url())));
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(rejected).toEqual([]);
    }),
  );

  it(
    'should be renewed once on the next visit, before the scripts of the page have loaded',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signIn(await createAccount(dashboard.service));
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
      const order: string[] = [];
      page.on('request', (request) => void order.push(new URL(request.url()).pathname));
      let load: () => void = () => undefined;
      const renewed = new Promise<void>((resolve) => (load = resolve));
      await page.route('**/assets/index-*.js', (route) => renewed.then(() => route.continue()));
      await Promise.all([
        page.waitForResponse('**/auth/refresh'),
        page.goto('/dashboard/keys', { waitUntil: 'commit' }),
      ]);
      load();
      await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
      expect(order.filter((path) => path === '/auth/refresh')).toHaveLength(1);
    }),
  );

  it(
    'should lead to the overview',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signIn(await createAccount(dashboard.service));
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
      expect(new URL(page.url()).pathname).toBe('/dashboard');
    }),
  );

  it(
    "should show the API's error if the password is wrong, select it for typing again, and explain how to reset it",
    dashboard.test(async (visitor) => {
      await visitor.signIn({ ...(await createAccount(dashboard.service)), password: wrongPassword });
      await expect(visitor.page.getByRole('alert').getByText('Incorrect email or password.')).toBeVisible();
      await expect(visitor.page.getByText('npm run admin -- reset-password EMAIL')).toBeVisible();
      const password = visitor.page.getByRole('textbox', { name: 'Password' });
      await password.focus();
      await visitor.page.keyboard.type('x');
      expect(await password.inputValue()).toBe('x');
    }),
  );

  it(
    'should keep the email, but not the password, while the user visits another page',
    dashboard.test(async ({ page }) => {
      const email = page.getByLabel(/^Email/);
      const password = page.getByRole('textbox', { name: 'Password' });
      await page.goto('/accept-invitation');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await email.fill('ada@example.com');
      await password.fill(wrongPassword);
      await page.goBack();
      await page.getByRole('link', { name: 'Sign in' }).click();
      await expect(password).toBeFocused();
      expect(await email.inputValue()).toBe('ada@example.com');
      expect(await password.inputValue()).toBe('');
    }),
  );

  it(
    'should lead back to the requested page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const account = await createAccount(dashboard.service);
      await page.goto('/dashboard/keys?name=billing');
      await visitor.fillInSignIn(account);
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('billing');
      await expect(page.getByRole('main')).toBeFocused();
    }),
  );

  it(
    'should not be required again after a reload',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto('/dashboard/keys');
      await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
    }),
  );

  it(
    'should be skipped for signed-in users, unless there is an error to show',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto(`/sign-in?returnTo=${encodeURIComponent('/dashboard/keys?name=billing')}`);
      expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('billing');
      await page.goto('/sign-in?error=access-denied');
      await expect(page.getByText('Your identity provider denied the sign-in.')).toBeVisible();
    }),
  );

  it(
    'should show the logo while the session is being restored',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/auth/refresh', (route) => held.then(() => route.continue()));
      await Promise.all([page.waitForRequest('**/auth/refresh'), page.goto('/dashboard/keys')]);
      const logo = page.getByRole('img', { name: 'Keycard' });
      await expect(logo).toBeVisible();
      release();
      await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
      expect(await logo.count()).toBe(0);
    }),
  );

  it(
    "should follow the system's color scheme, without accessibility violations in light or dark mode",
    dashboard.test(
      async ({ page }) => {
        await page.goto('/sign-in');
        await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
        expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark');
        expect(await findAccessibilityViolations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('light');
      },
      { colorScheme: 'dark' },
    ),
  );
});

describe('Signing out', () => {
  it(
    'should lead to the sign-in page in all windows of the browser',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      const other = await context.newPage();
      for (const window of [page, other]) {
        await window.goto('/dashboard/keys');
        await expect(window.getByRole('heading', { name: 'API keys' })).toBeVisible();
      }
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      for (const window of [page, other]) await expect(window.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await page.goto('/dashboard/keys');
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    }),
  );
});
