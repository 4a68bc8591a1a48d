import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { confirmDeletion, confirmSaved, embed, expire, readNewKey } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

describe('The page of an API key', () => {
  it(
    'should show its creator and reflect renaming, rotation and deletion',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.signInAs(member);
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.locator('dl').getByRole('link', { name: 'A member' })).toBeVisible();
      await expect(page.locator('dl').getByText(`${key.slice(0, 8)}…`)).toBeVisible();

      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Nightly batch');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await expect(page.getByRole('heading', { name: 'Nightly batch' })).toBeVisible();

      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate key' }).click();
      const rotated = await readNewKey(page);
      await confirmSaved(page);
      await expect(page.locator('dl').getByText(`${rotated.slice(0, 8)}…`)).toBeVisible();

      await page.getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, 'Nightly batch');
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
      expect([await embed(dashboard.service, key), await embed(dashboard.service, rotated)]).toEqual([401, 401]);
      await page.goBack();
      await expect(page.getByRole('heading', { name: 'Key not found' })).toBeVisible();
    }),
  );

  it(
    'should be up to date when it is opened again',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(page.getByText('No failed or rejected requests in the last 30 days.')).toBeVisible();
      // Pages in the background don't refetch on schedule.
      await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' })`);
      await page.getByRole('link', { name: 'API keys', exact: true }).first().click();
      await expect(page.getByRole('link', { name: 'Search indexer' })).toBeVisible();
      expect(await embed(dashboard.service, key, 'unknown')).toBe(404);
      await waitFor(async () => {
        const { body } = await call(dashboard.service.url, `GET /api-keys/${id}/failures`, { token: member.token });
        return (body as { failures: unknown[] }).failures.length === 1;
      });
      await page.getByRole('link', { name: 'Search indexer' }).click();
      await expect(page.getByText('404 model_not_found').first()).toBeVisible();
      await expect(page.getByText('Waiting for the first request…')).toBeHidden();
    }),
  );

  it(
    'should not move its buttons when the key is disabled',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id } = await createApiKey(dashboard.service, member, 'Mobile app');
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const rotate = page.getByRole('button', { name: 'Rotate' });
      const before = await rotate.boundingBox();
      await page.getByRole('switch', { name: 'Accept requests' }).click({ force: true });
      await page.getByRole('button', { name: 'Disable' }).click();
      await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
      expect(await rotate.boundingBox()).toEqual(before);
    }),
  );

  it(
    'should have no accessibility violations with the pointer on a button, and with a new secret',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id } = await createApiKey(dashboard.service, member);
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await page.getByRole('button', { name: 'Delete' }).hover();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
      await page.getByRole('dialog').getByRole('group', { name: 'curl example' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it.each(unknownIds.map((id) => [id.slice(0, 40), id]))(
    "should report that key %s isn't found and link back to the list",
    dashboard.test(async (visitor, _shown: string, id: string) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.getByRole('heading', { name: 'Key not found' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Back to API keys' }).click();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    }),
  );

  it(
    "should not show another organization's key",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createApiKey(dashboard.service, await createMember(dashboard.service));
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.getByRole('heading', { name: 'Key not found' })).toBeVisible();
    }),
  );

  it(
    "should hide actions, usage and history that the role doesn't allow",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service, { permissions: ['get-api-keys'] });
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.signInAs(member);
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.getByRole('heading', { name: 'Search indexer' })).toBeVisible();
      const main = page.getByRole('main');
      await main.getByRole('button', { name: 'Copy curl example' }).waitFor();
      expect(await main.getByRole('button').count()).toBe(1);
      expect(await main.getByRole('switch').count()).toBe(0);
      expect(await main.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Code samples']);
    }),
  );

  it(
    "should explain why an expired key can't be rotated, delete it without its name, and change its expiry",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Trial');
      await expire(dashboard.service, id);
      await visitor.signInAs(member);
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.getByRole('term').filter({ hasText: /^Expired$/ })).toBeVisible();
      expect(await page.getByRole('button', { name: 'Rotate' }).isDisabled()).toBe(true);
      expect(await page.getByText('Waiting for the first request…').count()).toBe(0);
      await page.getByRole('button', { name: 'Change expiry' }).focus();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('tooltip', { name: "You can't rotate an expired key." })).toBeVisible();

      await page.getByRole('button', { name: 'Delete' }).click();
      const deletion = page.getByRole('dialog', { name: 'Delete key' });
      await expect(deletion.getByText("This key has expired. You can't undo the deletion.")).toBeVisible();
      expect(await deletion.getByRole('button', { name: 'Delete key' }).isEnabled()).toBe(true);
      await page.keyboard.press('Escape');
      await deletion.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Change expiry' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change expiry of Trial' });
      await expect(dialog.getByRole('combobox', { name: 'Expires' })).toBeFocused();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Change expiry' }).click();
      await expect(page.getByText(/^Trial now expires on /)).toBeVisible();
      await expect(page.getByText('Expired', { exact: true })).toBeHidden();
      await expect(page.getByText('Waiting for the first request…')).toBeVisible();
      expect(await embed(dashboard.service, key)).toBe(200);
    }),
  );

  it(
    'should refresh its usage and failed requests every 10 seconds',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member);
      expect(await embed(service, key)).toBe(200);
      await page.clock.install();
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(page.getByRole('img', { name: '1 request, 0 failed (0.0%)' })).toBeVisible();
      await expect(page.getByText('No failed or rejected requests in the last 30 days.')).toBeVisible();
      expect(await embed(service, key)).toBe(200);
      expect(await embed(service, key, 'unknown')).toBe(404);
      // Failures are recorded in the background.
      const findFailures = () => service.query('select from failed_requests where api_key_id = $1', [id]);
      await waitFor(async () => (await findFailures()).length === 1);
      await page.clock.fastForward(10_000);
      await expect(page.getByText('404 model_not_found')).toBeVisible();
      await expect(page.getByRole('img', { name: '2 requests, 0 failed (0.0%)' })).toBeVisible();
    }),
  );

  it(
    "should have no accessibility violations in light or dark mode, and show code in the chosen mode, not the system's",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(page.getByRole('group', { name: 'curl example' })).toBeVisible();
      const readBackground = () =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('[aria-label="curl example"]').parentElement).backgroundColor`,
        );
      const waitForScheme = (scheme: string) => page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      const lightBackground = await readBackground();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Dark' }).click();
      await waitForScheme('dark');
      const darkBackground = await readBackground();
      expect(darkBackground).not.toBe(lightBackground);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await readBackground()).toBe(darkBackground);
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Light' }).click();
      await waitForScheme('light');
      expect(await readBackground()).toBe(lightBackground);
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'System' }).click();
      await waitForScheme('dark');

      await page.setViewportSize(narrowWindow.viewport);
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Search indexer' })).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
