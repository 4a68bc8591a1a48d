import { createApiKey } from '../factories/api-keys.js';
import { call } from '../setup/call.js';
import { chooseAction, createKey, embed, openKeys, readNewKey, rowOf, signInNewMember } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

describe('Restricting an API key', () => {
  it(
    'should reject invalid addresses and long notes as typed, and apply to the next request',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(
        dashboard.service,
        await signInNewMember(dashboard, visitor),
        'Search indexer',
      );
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Limits and restrictions');
      const dialog = page.getByRole('dialog', { name: 'Limits and restrictions for Search indexer' });
      const addresses = dialog.getByLabel('IP addresses', { exact: true });
      await addresses.fill('203.0.113.999');
      await addresses.press('Enter');
      await expect(dialog.getByText('203.0.113.999 is not an IP address or range')).toBeVisible();
      await addresses.press('Backspace');
      await addresses.fill('203.0.113.0/24, 2001:db8::/32');
      await addresses.press('Enter');
      await addresses.press('Enter');
      const note = dialog.getByRole('textbox', { name: 'Note' });
      await note.fill('x'.repeat(501));
      await expect(dialog.getByText('Use at most 500 characters.')).toBeVisible();
      await note.fill('Owned by the search team');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Search indexer updated. The change applies to its next request.')).toBeVisible();
      expect(await embed(dashboard.service, key)).toBe(403);

      await page.getByRole('link', { name: 'Search indexer' }).click();
      await expect(page.getByText('203.0.113.0/24, 2001:db8::/32')).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: 'Owned by the search team' })).toBeVisible();
    }),
  );

  it(
    'should start with the current settings, even if they were changed in another tab',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await signInNewMember(dashboard, visitor);
      const { id } = await createApiKey(service, member, 'Search indexer');
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Limits and restrictions');
      const note = page.getByRole('dialog').getByRole('textbox', { name: 'Note' });
      await note.waitFor();
      await page.keyboard.press('Escape');
      await note.waitFor({ state: 'detached' });
      await call(service.url, `PATCH /api-keys/${id}`, {
        token: member.token,
        body: { note: 'Owned by the search team' },
      });
      await chooseAction(page, 'Search indexer', 'Limits and restrictions');
      await note.waitFor();
      expect(await note.inputValue()).toBe('Owned by the search team');
    }),
  );

  it(
    'should not claim that a key without any model may use all',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { id } = await createApiKey(service, await signInNewMember(dashboard, visitor), 'Search indexer');
      await service.query(`update api_keys set models = '{}' where id = $1`, [id]);
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByRole('button', { name: 'Limits and restrictions' }).click();
      const dialog = page.getByRole('dialog');
      await expect(
        dialog.getByText(/^Models and services this key may use\. This key may use none yet\./),
      ).toBeVisible();
      await dialog.getByRole('textbox', { name: 'Note' }).fill('Not in use yet');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('definition').filter({ hasText: 'Not in use yet' })).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: 'None' })).toBeVisible();
    }),
  );

  it(
    'should offer the models within the window of a phone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).tap();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByRole('button', { name: 'Limits and restrictions' }).tap();
      await dialog.getByLabel('Models', { exact: true }).tap();
      await page.getByRole('option', { name: 'tesseract' }).tap();
      await expect(dialog.getByText('tesseract', { exact: true })).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should never be typed into a field that the footer of the dialog covers',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByRole('button', { name: 'Limits and restrictions' }).click();
      await dialog.getByRole('button', { name: 'Add limit' }).click();
      const footer = dialog.getByRole('button', { name: 'Create key' });
      for (const field of ['IP addresses', 'Note']) {
        await dialog.getByLabel(field, { exact: true }).focus();
        const { y, height } = (await dialog.getByLabel(field, { exact: true }).boundingBox()) ?? {
          y: 0,
          height: Infinity,
        };
        expect(y + height).toBeLessThan((await footer.boundingBox())?.y ?? 0);
      }
    }),
  );

  it(
    'should be possible when the key is created',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openKeys(dashboard, visitor);
      await page.getByRole('button', { name: 'Create your first key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByRole('button', { name: 'Limits and restrictions' }).click();
      await dialog.getByLabel('Models', { exact: true }).fill('auth');
      await expect(page.getByRole('option', { name: /^authorize .*behind a reverse proxy/ })).toBeVisible();
      await dialog.getByLabel('Models', { exact: true }).fill('tesseract');
      const key = await createKey(page, 'Scanner').then(() => readNewKey(page));
      await expect(page.getByRole('group', { name: 'curl example' }).getByText('/v1/ocr')).toBeVisible();
      expect(await embed(dashboard.service, key)).toBe(403);
    }),
  );
});

describe('Disabling an API key', () => {
  it(
    'should reject it until it is enabled again',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(
        dashboard.service,
        await signInNewMember(dashboard, visitor),
        'Search indexer',
      );
      await page.goto('/dashboard/keys');
      const disable = async () => {
        await chooseAction(page, 'Search indexer', 'Disable');
        await page.getByRole('dialog').getByRole('button', { name: 'Disable key' }).click();
        await expect(rowOf(page, 'Search indexer').getByText('Disabled')).toBeVisible();
        expect(await embed(dashboard.service, key)).toBe(403);
      };
      await disable();
      await chooseAction(page, 'Search indexer', 'Enable');
      await expect(rowOf(page, 'Search indexer').getByText('Disabled')).toBeHidden();
      expect(await embed(dashboard.service, key)).toBe(200);
      await disable();

      await page.getByRole('link', { name: 'Search indexer' }).click();
      const acceptRequests = page.getByRole('switch', { name: 'Accept requests' });
      await acceptRequests.press('Space');
      await expect(page.getByText('Search indexer enabled.')).toBeVisible();
      await expect(acceptRequests).toBeFocused();
      expect(await embed(dashboard.service, key)).toBe(200);
    }),
  );
});

describe('The list of API keys', () => {
  it(
    'should find a pasted key without sending more than its first 8 characters, even after rotations',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      const { id, key } = await createApiKey(dashboard.service, member, 'Leaked key');
      await createApiKey(dashboard.service, member, 'Another key');
      const requested: string[] = [];
      page.on('request', (request) => requested.push(`${request.url()} ${request.postData() ?? ''}`));
      await page.goto('/dashboard/keys');
      await expect(rowOf(page, 'Another key')).toBeVisible();
      await page.getByRole('searchbox', { name: 'Search by name or key' }).fill(key);
      await rowOf(page, 'Another key').waitFor({ state: 'detached' });
      await expect(rowOf(page, 'Leaked key')).toBeVisible();
      expect(page.url()).toContain(`hint=${key.slice(0, 8)}`);

      const rotate = (gracePeriodSeconds: number) =>
        call(dashboard.service.url, `POST /api-keys/${id}/rotate`, {
          token: member.token,
          body: { gracePeriodSeconds },
        });
      const previousSecret = rowOf(page, 'Leaked key').getByText(`Previous secret: ${key.slice(0, 8)}…`);
      expect(await previousSecret.count()).toBe(0);
      await rotate(600);
      await page.reload();
      await expect(previousSecret).toBeVisible();
      await rotate(0);
      await page.reload();
      await expect(page.getByText(`No key of this organization starts with ${key.slice(0, 8)}.`)).toBeVisible();
      await page.getByRole('link', { name: 'find it in the audit log' }).click();
      expect(await page.getByRole('combobox', { name: 'Key', exact: true }).inputValue()).toBe(key.slice(0, 8));
      await expect(page.getByText(`created the key Leaked key ${key.slice(0, 8)}…`)).toBeVisible();
      await page.getByRole('button', { name: 'Clear key' }).click();
      await expect(page.getByText('created the key Another key')).toBeVisible();
      expect([page.url(), ...requested].filter((text) => text.includes(key.slice(0, 9)))).toEqual([]);
    }),
  );

  it(
    'should have legible badges in light and dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await signInNewMember(dashboard, visitor);
      const states = {
        Disabled: 'enabled = false',
        Leaked: `leaked_at = now(), leaked_secret = 'current'`,
        'Leaked, disabled': `enabled = false, leaked_at = now(), leaked_secret = 'current'`,
        Expired: `expires_at = now() - interval '1 day'`,
        'Expires soon': `expires_at = now() + interval '1 day'`,
        Unused: `created_at = now() - interval '91 days'`,
      };
      for (const [name, assignments] of Object.entries(states)) {
        const { id } = await createApiKey(service, member, `${name} key`);
        await service.query(`update api_keys set ${assignments} where id = $1`, [id]);
      }
      await page.goto('/dashboard/keys');
      for (const name of Object.keys(states)) {
        await expect(rowOf(page, `${name} key`).getByText(name, { exact: true })).toBeVisible();
      }
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should filter by state and keep the choice in the URL',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await signInNewMember(dashboard, visitor);
      await createApiKey(service, member, 'Expiring key', new Date(Date.now() + 24 * 3600 * 1000));
      await createApiKey(service, member, 'Other key');
      await page.goto('/dashboard/keys');
      await expect(rowOf(page, 'Expiring key').getByText('Expires soon')).toBeVisible();
      await page.getByRole('combobox', { name: 'State' }).selectOption('Expire within 7 days');
      await rowOf(page, 'Other key').waitFor({ state: 'detached' });
      await page.reload();
      await expect(rowOf(page, 'Expiring key')).toBeVisible();
      expect(await rowOf(page, 'Other key').count()).toBe(0);
      await page.getByRole('combobox', { name: 'State' }).selectOption('Disabled');
      await expect(page.getByText('Choose another state to see other keys.')).toBeVisible();
    }),
  );
});
