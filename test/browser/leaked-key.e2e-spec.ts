import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { report, statusOf } from '../leaked-keys/reports.js';
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
      await expect(notice.getByText(/^Used for no requests since /)).toBeVisible();
      const link = notice.getByRole('link', { name: url });
      expect(await link.getAttribute('rel')).toContain('noopener');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );
});

describe('Report leak', () => {
  it(
    'should revoke the key, and show what it was used for',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('button', { name: 'Actions for Search indexer' }).click();
      await page.getByRole('menuitem', { name: 'Report leak' }).click();
      const dialog = page.getByRole('dialog', { name: 'Report leak' });
      await dialog.getByRole('button', { name: 'Revoke key' }).click();
      const notice = page.getByRole('status').filter({ hasText: 'This key leaked. It is disabled.' });
      await expect(notice.getByText(/by a member/)).toBeVisible();
      expect(await statusOf(dashboard.service, key)).toBe(403);
      await notice.getByRole('link', { name: 'usage of 30 days' }).click();
      await page.waitForURL(/usage\?.*apiKeyId=/);
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
