import type { Page } from 'playwright-core';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { recordKeyCreation } from '../factories/audit-log.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;
let billing: CreatedKey;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  billing = await createApiKey(dashboard.service, owner, 'billing-prod');
  await createApiKey(dashboard.service, owner, 'Search indexer');
});

const change = (route: string, body?: object) =>
  call(dashboard.service.url, route, { token: owner.token, ...(body && { body }) });
const keyField = (page: Page) => page.getByRole('combobox', { name: 'Key', exact: true });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const events = (page: Page) => page.getByRole('main').getByRole('listitem');
const hasKey = (page: Page, text: string) => waitFor(async () => (await keyField(page).inputValue()) === text);
const hasEvents = (page: Page, count: number) => waitFor(async () => (await events(page).count()) === count);

/** Opens the audit log and collects the searches for keys. */
async function openLog(visitor: Visitor): Promise<{ page: Page; searches: string[] }> {
  const { page } = visitor;
  const searches: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/audit-events/api-keys') searches.push(searchParams.get('search') ?? '');
  });
  await visitor.visit(owner, '/dashboard/audit-log');
  await expect(events(page).first()).toBeVisible();
  return { page, searches };
}

describe('The key filter of the audit log', () => {
  it(
    'should find a deleted key by its name, and keep it in the URL',
    dashboard.test(async (visitor) => {
      await change(`DELETE /api-keys/${billing.id}`);
      for (let number = 1; number <= 50; number += 1)
        await recordKeyCreation(dashboard.service, owner, `Key ${number}`);
      const { page } = await openLog(visitor);
      await keyField(page).fill('billing');
      await expect(option(page, `billing-prod ${billing.key.slice(0, 8)}… · Deleted`)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`targetKind=api-key&targetId=${billing.id}`));
      await expect(events(page).getByText('deleted the key billing-prod')).toBeVisible();
      await hasEvents(page, 2);
      await expect(page.getByRole('listbox')).toBeHidden();
      await page.reload();
      await expect(events(page).getByText('created the key billing-prod')).toBeVisible();
      await hasKey(page, 'billing-prod');
      await page.getByRole('button', { name: 'Clear key' }).press('Enter');
      await expect(events(page).getByText('A member created 50 keys')).toBeVisible();
      await expect(keyField(page)).toBeFocused();
      expect(new URL(page.url()).search).toBe('');
      await page.goBack();
      await hasEvents(page, 2);
      await hasKey(page, 'billing-prod');
    }),
  );

  it(
    'should find a key by an earlier name, and say so',
    dashboard.test(async (visitor) => {
      await change(`PATCH /api-keys/${billing.id}`, { name: 'payments' });
      const { page } = await openLog(visitor);
      await keyField(page).fill('BILLING');
      await option(page, /^payments kc_.* · formerly billing-prod$/).click();
      await hasEvents(page, 2);
      await hasKey(page, 'payments');
    }),
  );

  it(
    'should replace a filter by the first characters of a key, and be replaced by one',
    dashboard.test(async (visitor) => {
      const { page, searches } = await openLog(visitor);
      const hint = billing.key.slice(0, 8);
      await keyField(page).fill(hint);
      await page.waitForURL(/targetHint=/);
      await keyField(page).fill('search ind');
      await option(page, /^Search indexer/).click();
      await page.waitForURL((url) => url.searchParams.has('targetId') && !url.searchParams.has('targetHint'));
      await keyField(page).fill(`KEY="${billing.key}"`);
      await page.waitForURL((url) => url.searchParams.get('targetHint') === hint && !url.searchParams.has('targetId'));
      await expect(events(page).getByText('created the key billing-prod')).toBeVisible();
      await hasEvents(page, 1);
      expect(searches.filter((search) => search.includes('kc_'))).toEqual([]);
    }),
  );

  it(
    'should keep showing all events until a key is chosen, and say if no key has the name',
    dashboard.test(async (visitor) => {
      const { page } = await openLog(visitor);
      await keyField(page).fill('no such key');
      await page.keyboard.press('Enter');
      await expect(page.getByText('No key in the audit log has this name.')).toBeVisible();
      await hasEvents(page, 2);
      await keyField(page).fill('sear');
      await expect(option(page, /^Search indexer/)).toBeVisible();
      await page.keyboard.press('Tab');
      await expect(page.getByText('Choose a key from the list.')).toBeVisible();
      await hasEvents(page, 2);
      await expect(page.getByText('No key in the audit log has this name.')).toBeHidden();
    }),
  );

  it(
    'should name the key of a link, and return to it when other text is left unchosen',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, `/dashboard/audit-log?targetKind=api-key&targetId=${billing.id}&action=role.create`);
      await expect(page.getByText('No matching events')).toBeVisible();
      await hasKey(page, 'billing-prod');
      await keyField(page).fill('sear');
      await expect(option(page, /^Search indexer/)).toBeVisible();
      await page.keyboard.press('Tab');
      await hasKey(page, 'billing-prod');
    }),
  );
});
