import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { report, statusOf } from '../leaked-keys/reports.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
const url = `https://github.com/example/repository/blob/main/${'folder/'.repeat(30)}.env`;

describe('The page of a leaked key', () => {
  it(
    'should say where it was found, what it did since, and what to do',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await report(dashboard.service, { token: key, url, source: 'commit' });
      await visitor.signInAs(member);
      await page.goto(`/dashboard/keys/${id}`);
      const notice = page.getByRole('status').filter({ hasText: 'This key leaked. It is disabled.' });
      await expect(notice).toBeVisible();
      await expect(notice.getByText(/^No requests since /)).toBeVisible();
      const link = notice.getByRole('link', { name: url });
      expect(await link.getAttribute('rel')).toContain('noopener');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );
});

describe('Report leak', () => {
  it(
    'should disable the key, and show what it was used for',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('button', { name: 'Actions for Search indexer' }).click();
      await page.getByRole('menuitem', { name: 'Report leak' }).click();
      const dialog = page.getByRole('dialog', { name: 'Report leak' });
      await dialog.getByRole('button', { name: 'Report and disable' }).click();
      const notice = page.getByRole('status').filter({ hasText: 'This key leaked. It is disabled.' });
      await expect(notice.getByText(/^Reported .* by A member$/)).toBeVisible();
      expect(await statusOf(dashboard.service, key)).toBe(403);
      const history = page.getByRole('region', { name: 'History' });
      await expect(
        history.getByText(/ reported that the key Search indexer .* leaked, and it was disabled$/),
      ).toBeVisible();
      await notice.getByRole('link', { name: 'latest requests' }).click();
      const requests = page.getByRole('region', { name: 'Latest requests' });
      await waitFor(async () => ((await requests.boundingBox())?.y ?? Infinity) < 500);
      await notice.getByRole('link', { name: 'usage in the last 30 days' }).click();
      await page.waitForURL(/usage\?.*apiKeyId=/);
    }),
  );

  it(
    'should be offered only while a report changes anything',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member, 'Search indexer');
      await report(service, { token: key });
      const button = page.getByRole('button', { name: 'Report leak' });
      const item = page.getByRole('menuitem', { name: 'Report leak' });
      const openMenu = async () => {
        await page.goto('/dashboard/keys');
        await page.getByRole('button', { name: 'Actions for Search indexer' }).click();
        await expect(page.getByRole('menuitem', { name: 'Rotate' })).toBeVisible();
      };
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(page.getByRole('button', { name: 'Rotate' })).toBeVisible();
      await expect(button).toBeHidden();
      await openMenu();
      await expect(item).toBeHidden();

      // Someone has enabled it again.
      await service.query('update api_keys set enabled = true where id = $1', [id]);
      await openMenu();
      await expect(item).toBeVisible();
      await page.goto(`/dashboard/keys/${id}`);
      await button.click();
      await page
        .getByRole('dialog', { name: 'Report leak' })
        .getByRole('button', { name: 'Report and disable' })
        .click();
      await expect(button).toBeHidden();
      expect(await statusOf(service, key)).toBe(403);
    }),
  );
});

describe('A leaked key', () => {
  it(
    'should be enabled only after a warning, on its page and among others',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member, 'Search indexer');
      const { id: otherId } = await createApiKey(service, member, 'Mail classifier');
      await report(service, { token: key, url, source: 'commit' });
      await service.query('update api_keys set enabled = false where id = $1', [otherId]);

      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(page.getByText('Leaked, disabled')).toBeVisible();
      await page.getByLabel('Accept requests').click({ force: true });
      const warning = page.getByRole('dialog', { name: 'Enable leaked key' });
      await expect(warning.getByText(/^A secret of Search indexer leaked, and it will work again/)).toBeVisible();
      expect(await statusOf(service, key)).toBe(403);
      await warning.getByRole('button', { name: 'Cancel' }).click();
      await expect(warning).toBeHidden();

      await page.goto('/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Enable' }).click();
      const dialog = page.getByRole('dialog', { name: 'Enable 2 keys' });
      await expect(
        dialog.getByText('1 key leaked. Its secret will work again unless you rotate the key first.'),
      ).toBeVisible();
      await expect(
        dialog.getByRole('listitem').filter({ hasText: 'Search indexer' }).getByText('Leaked'),
      ).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      await page.getByRole('button', { name: 'Actions for Search indexer' }).click();
      await page.getByRole('menuitem', { name: 'Enable' }).click();
      await warning.getByRole('button', { name: 'Enable anyway' }).click();
      await expect(page.getByText('Search indexer enabled. Its leaked secret works again.')).toBeVisible();
      expect(await statusOf(service, key)).toBe(200);
    }),
  );
});

describe('The rotation of a leaked key', () => {
  it(
    'should promise nothing to the leaked secret, alone and among others',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member, 'Search indexer');
      await createApiKey(service, member, 'Mail classifier');
      await report(service, { token: key, url, source: 'commit' });

      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Rotate' }).click();
      const bulkDialog = page.getByRole('dialog', { name: 'Rotate 2 keys' });
      await expect(bulkDialog.getByText(/The leaked secret of 1 key is revoked immediately\./)).toBeVisible();
      await expect(bulkDialog.getByLabel('Revoke the other secrets')).toBeVisible();

      await page.goto(`/dashboard/keys/${id}`);
      await page.getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate key' });
      await expect(dialog.getByText(/The leaked secret is revoked immediately\.$/)).toBeVisible();
      await expect(dialog.getByLabel('Revoke the current secret')).toBeHidden();
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Rotate key' }).click();
      await expect(page.getByText('This key is disabled. Once enabled, it works.')).toBeVisible();
      expect(await statusOf(service, key)).toBe(401);
    }),
  );
});

describe('The organization page', () => {
  it(
    'should change what happens to leaked keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.signInAs(member);
      await page.goto('/dashboard/organization');
      await page.getByLabel('When a key is reported as leaked').selectOption('delete');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Settings saved.')).toBeVisible();
      await report(dashboard.service, { token: key });
      expect(await statusOf(dashboard.service, key)).toBe(401);
    }),
  );
});
