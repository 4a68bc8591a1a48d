import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { recordUsage } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { embed, expire, rowOf } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('Selected API keys', () => {
  it(
    'should be rotated together, and show their new secrets until they are saved',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const keys = [];
      for (const name of ['First', 'Second']) keys.push(await createApiKey(service, member, name));
      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate 2 keys' });
      await expect(dialog.getByText('Second')).toBeVisible();
      await dialog.getByLabel('Revoke the current secrets').selectOption('0');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Rotate keys' }).click();
      const secrets = page.getByRole('region', { name: 'Your new keys' });
      await expect(secrets).toBeFocused();
      const rotated = /First {2}(kc_\w{46})/.exec(await secrets.innerText())?.[1] ?? '';
      expect(await Promise.all([...keys.map(({ key }) => key), rotated].map((key) => embed(service, key)))).toEqual([
        401, 401, 200,
      ]);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      expect((await download).suggestedFilename()).toBe('api-keys.csv');
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('group', { name: 'Selected keys' }).getByText('2 keys selected')).toBeVisible();
    }),
  );

  it(
    'should be selectable once they are loaded, not before',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await createApiKey(dashboard.service, member, 'First');
      let load = (): void => undefined;
      const loading = new Promise<void>((resolve) => (load = resolve));
      await page.route('**/api-keys?*', async (route) => {
        await loading;
        await route.continue();
      });
      await visitor.visit(member, '/dashboard/keys');
      const all = page.getByRole('checkbox', { name: 'Select all keys' });
      await all.waitFor();
      expect(await all.isDisabled()).toBe(true);
      const checking = all.check();
      load();
      await checking;
      await expect(page.getByRole('group', { name: 'Selected keys' }).getByText('1 key selected')).toBeVisible();
    }),
  );

  it(
    'should not have their actions cover the row that gets the focus',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const names = Array.from({ length: 20 }, (_, index) => `Worker ${index + 1}`);
      for (const name of names) await createApiKey(dashboard.service, member, name);
      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select Worker 20', exact: true }).check();
      const bar = page.getByRole('group', { name: 'Selected keys' });
      await bar.waitFor();
      for (const name of names.toReversed()) {
        const checkbox = page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
        await checkbox.focus();
        const { y, height } = (await checkbox.boundingBox()) ?? { y: Infinity, height: 0 };
        expect(y + height).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
      }
    }),
  );

  it(
    'should be disabled, enabled or deleted together',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const keys = [];
      for (const name of ['First', 'Second', 'Third']) keys.push(await createApiKey(service, member, name));
      await visitor.visit(member, '/dashboard/keys');
      const select = (name: string) =>
        rowOf(page, name)
          .getByRole('checkbox', { name: `Select ${name}` })
          .check();
      const selection = page.getByRole('group', { name: 'Selected keys' });

      const top = (await rowOf(page, 'First').boundingBox())?.y;
      await select('First');
      await select('Second');
      await expect(selection.getByRole('button', { name: 'Delete' })).toBeVisible();
      expect((await rowOf(page, 'First').boundingBox())?.y).toBe(top);
      expect(await selection.getByRole('button', { name: 'Enable' }).count()).toBe(0);
      await expect(selection.getByText('2 keys selected')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await selection.getByRole('button', { name: 'Disable' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disable 2 keys' }).click();
      await expect(page.getByText('2 keys disabled.')).toBeVisible();
      await expect(selection.getByText('2 keys selected')).toBeVisible();
      expect(await Promise.all(keys.map(({ key }) => embed(service, key)))).toEqual([403, 403, 200]);

      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await selection.getByRole('button', { name: 'Enable' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Enable 2 keys' }).click();
      await expect(page.getByText('2 keys enabled.')).toBeVisible();
      await expect(selection.getByRole('button', { name: 'Enable' })).toBeHidden();
      await expect(selection).toBeFocused();
      expect(await embed(service, keys[0]?.key ?? '')).toBe(200);

      await selection.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete 3 keys' });
      await dialog.getByRole('textbox').fill('delete 3 keys');
      await visitor.context.route('**/api-keys/bulk-delete', (route) => route.abort());
      visitor.problems.allow(/No response.*api-keys/);
      await dialog.getByRole('button', { name: 'Delete 3 keys' }).click();
      await expect(dialog.getByRole('alert').getByText("Can't reach Keycard.")).toBeVisible();
      await visitor.context.unrouteAll();
      await dialog.getByRole('button', { name: 'Delete 3 keys' }).click();
      await expect(page.getByText('No keys yet')).toBeVisible();
      await expect(selection).toBeHidden();
    }),
  );
});

describe('All API keys that match a filter', () => {
  it(
    'should be selected on every page, listed, and get tags together',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      for (let index = 1; index <= 27; index++) await createApiKey(service, member, `Worker ${index}`);
      await createApiKey(service, member, 'Other');
      await visitor.visit(member, '/dashboard/keys?name=worker');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      const selection = page.getByRole('group', { name: 'Selected keys' });
      await expect(selection.getByText('25 keys selected')).toBeVisible();
      await selection.getByRole('button', { name: 'Select all 27' }).click();
      await expect(selection.getByText('27 keys selected')).toBeVisible();

      await selection.getByRole('button', { name: 'Change' }).click();
      await page.getByRole('menuitem', { name: 'Tags' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change tags of 27 keys' });
      await dialog.getByText('Worker 27').waitFor();
      expect(await dialog.getByRole('listitem').filter({ hasText: 'Worker' }).count()).toBe(27);
      await dialog.getByLabel('Add tags').fill('Production,');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('27 keys updated.')).toBeVisible();
      await expect(selection.getByText('27 keys selected, 2 not on this page')).toBeVisible();

      await page.getByRole('link', { name: 'Worker 27' }).click();
      await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'production' }).click();
      await page.waitForURL(/keys\?tag=production/);
      await page.getByRole('combobox', { name: 'Tag' }).selectOption('All tags');
      await page.waitForURL((url) => !url.search.includes('tag='));
    }),
  );
});

describe('The expiry of several API keys', () => {
  it(
    'should be chosen with their present expiry in view, and a warning about those that expire earlier',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      for (const [name, days] of [
        ['Soon', 10],
        ['Later', 200],
      ] as const) {
        await createApiKey(service, member, name, new Date(Date.now() + days * 86_400_000));
      }
      await createApiKey(service, member, 'Endless');
      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Change' }).click();
      await page.getByRole('menuitem', { name: 'Expiry' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change expiry of 3 keys' });
      await expect(
        dialog.getByRole('listitem').filter({ hasText: 'Endless' }).getByText('Never expires'),
      ).toBeVisible();
      await dialog.getByRole('button', { name: 'Change expiry' }).click();
      await expect(dialog.getByText('Choose when the keys expire.')).toBeVisible();
      await dialog.getByRole('combobox', { name: 'Expires' }).selectOption('90 days');
      await expect(dialog.getByText('2 keys expire earlier than before.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Change expiry' }).click();
      await expect(page.getByText('3 keys updated.')).toBeVisible();
      expect(
        await service.query(
          `select name from api_keys where organization_id = $1
             and expires_at between now() + interval '89 days' and now() + interval '91 days' order by name`,
          [member.organizationId],
        ),
      ).toEqual([{ name: 'Endless' }, { name: 'Later' }, { name: 'Soon' }]);
    }),
  );
});

describe('The list of API keys', () => {
  it(
    "should not offer to enable or disable expired keys, which wouldn't accept requests",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      for (const enabled of [true, false]) {
        const { id } = await createApiKey(service, member, enabled ? 'Expired' : 'Disabled and expired');
        await expire(service, id);
        await service.query('update api_keys set enabled = $2 where id = $1', [id, enabled]);
      }
      await createApiKey(service, member, 'Valid');
      await visitor.visit(member, '/dashboard/keys');
      for (const name of ['Expired', 'Disabled and expired']) {
        await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
        expect(await page.getByRole('menuitem', { name: /able$/ }).count()).toBe(0);
        await page.keyboard.press('Escape');
      }
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      const selection = page.getByRole('group', { name: 'Selected keys' });
      await selection.getByRole('button', { name: 'Disable' }).waitFor();
      expect(await selection.getByRole('button', { name: 'Enable' }).count()).toBe(0);
      await selection.getByRole('button', { name: 'Disable' }).click();
      const dialog = page.getByRole('dialog', { name: 'Disable 1 key' });
      await expect(dialog.getByRole('listitem').getByText('Valid')).toBeVisible();
    }),
  );

  it(
    'should be sorted by last use and expiry',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const { organizationId } = member;
      const used = await createApiKey(service, member, 'Used', new Date('2998-01-01'));
      await createApiKey(service, member, 'Expiring first', new Date('2997-01-01'));
      await recordUsage(service, [{ organizationId, apiKeyId: used.id }]);
      await visitor.visit(member, '/dashboard/keys');
      const firstName = page.getByRole('table').getByRole('row').nth(1).getByRole('link').first();
      await page.getByRole('button', { name: 'Last used' }).click();
      await page.waitForURL(/orderBy=lastUsedAt/);
      await page.getByRole('button', { name: 'Last used' }).click();
      await expect(firstName.filter({ hasText: 'Used' })).toBeVisible();
      await page.getByRole('button', { name: 'Expires' }).click();
      await expect(firstName.filter({ hasText: 'Expiring first' })).toBeVisible();
    }),
  );
});

/** Creates a key, and rotates it with a grace period of an hour. `key` is its previous secret. */
async function createRotatedKey() {
  const { service } = dashboard;
  const member = await createMember(service);
  const { id, key } = await createApiKey(service, member);
  const body = { gracePeriodSeconds: 3600 };
  await call(service.url, `POST /api-keys/${id}/rotate`, { token: member.token, body });
  return { member, id, key };
}

describe('The page of a rotated API key', () => {
  it(
    'should show when the previous secret was last used, also before revoking it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { member, id, key } = await createRotatedKey();
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const both = 'Usage and “Last used” include both secrets.';
      await expect(page.getByText(`It was never used. ${both}`)).toBeVisible();
      const confirmation = page.getByRole('dialog', { name: 'Revoke the previous secret?' });
      await page.getByRole('button', { name: 'Revoke now' }).click();
      await expect(confirmation.getByText(/^\s*Anything that still uses it/)).toBeVisible();
      await confirmation.getByRole('button', { name: 'Cancel' }).click();
      expect(await embed(service, key)).toBe(200);
      await service.query(
        `update api_keys set previous_secret_last_used_at = previous_secret_last_used_at - interval '5 minutes' where id = $1`,
        [id],
      );
      await expect(page.getByText(`It was last used 5 minutes ago. ${both}`)).toBeVisible();
      await page.getByRole('button', { name: 'Revoke now' }).click();
      await expect(
        confirmation.getByText('It was last used 5 minutes ago. Anything that still uses it will stop working'),
      ).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should show when it was rotated and until when the previous secret works, which is never while the key is disabled, and revoke it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { member, id, key } = await createRotatedKey();
      expect(await embed(service, key)).toBe(200);
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(page.getByText('from 127.0.0.1')).toBeVisible();
      await expect(page.getByText('Rotated just now')).toBeVisible();
      const previousSecret = page.getByRole('status').getByText(`Previous secret ${key.slice(0, 8)}… works until`);
      const acceptRequests = page.getByRole('switch', { name: 'Accept requests' });
      await expect(previousSecret).toBeVisible();
      await acceptRequests.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disable key' }).click();
      await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
      await expect(
        page.getByText(/^Previous secret .* works until .*, but not while the key is disabled\.$/),
      ).toBeVisible();
      expect(await embed(service, key)).toBe(403);
      await acceptRequests.click();
      await expect(page.getByText('A key enabled.')).toBeVisible();
      await expect(page.getByText('but not while the key is disabled')).toBeHidden();
      await page.getByRole('button', { name: 'Revoke now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke now' }).click();
      await expect(previousSecret).toBeHidden();
      await expect(page.getByText(`revoked the previous secret ${key.slice(0, 8)}… of A key`)).toBeVisible();
      expect(await embed(service, key)).toBe(401);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
