import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { Receiver, respondWith } from '../webhooks/receiver.js';
import { createRole, createWebhook, listDeliveries, webhookConfig } from '../webhooks/webhook-app.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard({ config: webhookConfig() });
let receiver: Receiver;
let owner: Member;

beforeEach(async () => {
  receiver = await new Receiver().start();
  owner = await createMember(dashboard.service);
});
afterEach(() => receiver.stop());

describe('The Webhooks page', () => {
  it(
    'should create a webhook for chosen events, and show its secret once, with code',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/webhooks');
      await expect(page.getByRole('heading', { name: 'No webhooks' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('URL').fill(receiver.url('/hook'));
      await dialog.getByRole('combobox', { name: 'Events' }).click();
      await page.getByRole('option', { name: 'role.created' }).click();
      await page.keyboard.press('Tab');
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      const secret = await dialog.getByRole('region', { name: 'Your new signing secret' }).innerText();
      expect(secret).toMatch(/^whsec_/);
      await expect(dialog.getByRole('group', { name: 'Node.js example' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByLabel("I've saved this secret").check();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('row', { name: receiver.url('/hook') }).getByText('role.created')).toBeVisible();
      expect(await page.content()).not.toContain(secret);
    }),
  );

  it(
    'should say all that is wrong with a URL below it, in sentences',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/webhooks');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      const dialog = page.getByRole('dialog');
      const field = dialog.getByRole('textbox', { name: 'URL' });
      await field.fill('example.com');
      await field.press('Tab');
      await expect(dialog.getByText('Enter a URL, such as https://example.com/.')).toBeVisible();
      await field.fill('https://user@10.0.0.1/#part');
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      await expect(
        dialog.getByText(
          'Must not contain a user name or password. Must not have a fragment. Must have a public IP address, or one of ' +
            'WEBHOOK_ALLOWED_NETWORKS, which the operator sets.',
        ),
      ).toBeVisible();
      await expect(field).toBeFocused();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});

describe('The page of a webhook', () => {
  it(
    'should send a test, show deliveries with bodies and responses, and redeliver',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      receiver.respond = (_request, response) => void response.writeHead(200).end('received');
      const { id } = await createWebhook(dashboard.service, owner, { url: receiver.url() });
      await createRole(dashboard.service, owner, 'Reviewer');
      await visitor.visit(owner, `/dashboard/webhooks/${id}`);
      await expect(page.getByRole('row', { name: 'role.created' }).getByText('Delivered')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Details of role.created' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('group', { name: 'body' }).getByText('Reviewer')).toBeVisible();
      await expect(dialog.getByRole('group', { name: 'response 1' }).getByText('received')).toBeVisible();
      await dialog.getByRole('button', { name: 'Redeliver' }).click();
      await expect(page.getByRole('row', { name: 'Redelivery' }).getByText('Delivered')).toBeVisible();
      await page.getByRole('button', { name: 'Send test event' }).click();
      await expect(page.getByText('Test event queued. Deliveries show the response.')).toBeVisible();
      await expect(page.getByRole('row', { name: 'webhook.test' }).getByText('Delivered')).toBeVisible();
      expect(receiver.typesAt()).toEqual(['role.created', 'role.created', 'webhook.test']);
    }),
  );

  it(
    'should say what a delivery waits for, and show its attempts while its details are open',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      receiver.respond = respondWith(503, { 'retry-after': '7200' });
      const { id } = await createWebhook(dashboard.service, owner, { url: receiver.url() });
      for (const name of ['First', 'Second']) await createRole(dashboard.service, owner, name);
      await waitFor(async () => {
        const deliveries = await listDeliveries(dashboard.service, owner, id);
        return deliveries.length === 2 && deliveries[1]?.attempts.length === 1;
      });
      await visitor.visit(owner, `/dashboard/webhooks/${id}`);
      const details = page.getByRole('button', { name: 'Details of role.created' });
      const dialog = page.getByRole('dialog');
      await details.nth(1).click();
      await expect(dialog.getByText(/^Next attempt: in (1 hour|2 hours)$/)).toBeVisible();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await details.first().click();
      await expect(dialog.getByText('Waits until earlier events are delivered.')).toBeVisible();
      expect(await dialog.getByText('Next attempt').count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      receiver.respond = respondWith(200, {}, 'received');
      for (const enabled of [false, true]) {
        await call(dashboard.service.url, `PATCH /webhooks/${id}`, { token: owner.token, body: { enabled } });
      }
      await expect(dialog.getByText('received')).toBeVisible();
      await expect(dialog.getByText('Waits until')).toBeHidden();
    }),
  );

  it(
    'should say that deliveries fail, with the latest response, like the list and the overview',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      receiver.respond = (_request, response) => void response.writeHead(500).end();
      const { id } = await createWebhook(dashboard.service, owner, { url: receiver.url() });
      await createRole(dashboard.service, owner, 'Reviewer');
      await waitFor(async () => (await listDeliveries(dashboard.service, owner, id))[0]?.attempts.length === 1);
      await visitor.visit(owner, '/dashboard');
      const attention = page.getByRole('region', { name: 'Needs attention' });
      await expect(attention.getByText('1 webhook is failing')).toBeVisible();
      await expect(attention.getByText('Fix the receiver. Deliveries are retried automatically.')).toBeVisible();
      await attention.getByRole('link', { name: 'View webhooks' }).click();
      const row = page.getByRole('row', { name: receiver.url() });
      await expect(row.getByText('Failing', { exact: true })).toBeVisible();
      await expect(row.getByText('Responded 500')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await row.getByRole('link').click();
      await expect(page.getByText('Failing', { exact: true })).toBeVisible();
      await expect(page.getByText('Responded 500')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should disable and delete it, also in a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createWebhook(dashboard.service, owner, { url: receiver.url() });
      await visitor.visit(owner, `/dashboard/webhooks/${id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Enabled').uncheck({ force: true });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete webhook' }).click();
      await expect(page.getByRole('heading', { name: 'No webhooks' })).toBeVisible();
    }, narrowWindow),
  );
});
