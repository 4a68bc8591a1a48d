import { createAccount } from '../factories/accounts.js';
import { createMember } from '../factories/organizations.js';
import { MailServer, mailSettings, tokenIn } from '../mail/mail-server.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const server = new MailServer();
// Before the dashboard starts, which needs the URL.
await server.start();
afterAll(() => server.stop());
const dashboard = openDashboard({ config: { mail: mailSettings(server.url).mail } });

describe('A forgotten password', () => {
  it(
    'should be replaced with a link that the user requests',
    dashboard.test(async ({ page }) => {
      const { email } = await createAccount(dashboard.service);
      await page.goto('/sign-in');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('Email').fill(email);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByText("you'll get a link")).toBeVisible();
      await waitFor(() => server.to(email).length === 1);
      const [mail] = server.to(email);
      await page.goto(`/reset-password#token=${mail && tokenIn(mail)}`);
      await expect(page.getByLabel('New password')).toBeVisible();
    }),
  );
});

describe('The editor of limits', () => {
  it(
    'should say who gets mail about an alert',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/organization');
      await page.getByRole('button', { name: 'Edit limits' }).click();
      const dialog = page.getByRole('dialog', { name: 'Organization limits' });
      await dialog.getByRole('button', { name: 'Add limit' }).click();
      await dialog.getByRole('combobox', { name: 'Period' }).selectOption('month');
      await dialog.getByRole('button', { name: 'Options of limit 1' }).click();
      await expect(
        dialog.getByText(
          'adds an event to the audit log, sends limit.threshold_reached to webhooks and emails members who can change the budget, once per period.',
        ),
      ).toBeVisible();
    }),
  );
});

describe('The account page', () => {
  it(
    'should turn mail off and on',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await visitor.signInAs(member);
      await page.goto('/dashboard/account');
      const box = (checked: boolean) => page.getByRole('checkbox', { name: 'API keys that expire soon', checked });
      await box(true).click();
      await expect(box(false)).toBeVisible();
      await page.reload();
      await expect(box(false)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
