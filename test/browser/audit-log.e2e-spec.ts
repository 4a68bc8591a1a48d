import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { allPermissions } from '../../src/access/permissions.js';
import { createApiKey } from '../factories/api-keys.js';
import { insertAuditEvents, recordKeyCreation } from '../factories/audit-log.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const emailOf = ({ userId }: Member) => `${userId}@example.com`;
const keyField = (page: Page) => page.getByRole('combobox', { name: 'Key', exact: true });
const events = (page: Page) => page.getByRole('main').getByRole('listitem');
const callAsOwner = (route: string, body: object) => call(dashboard.service.url, route, { token: owner.token, body });

/** Opens the audit log as the owner. */
async function openLog(visitor: Visitor, search = ''): Promise<Page> {
  const { page } = visitor;
  await visitor.signInAs(owner);
  await page.goto(`/dashboard/audit-log${search}`);
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  return page;
}

/** Records the creation of keys named Key 1, Key 2 and so on. */
async function recordKeys(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await recordKeyCreation(dashboard.service, owner, `Key ${number}`);
  }
}

describe('The audit log', () => {
  it(
    'should describe events in sentences and show what changed on demand',
    dashboard.test(async (visitor) => {
      const { id } = await createApiKey(dashboard.service, owner, 'Search');
      await callAsOwner(`PATCH /api-keys/${id}`, { name: 'Search indexer' });
      await callAsOwner(`POST /api-keys/${id}/rotate`, { gracePeriodSeconds: 3600 });
      const page = await openLog(visitor);
      await expect(events(page).getByText('A member created the key Search kc_')).toBeVisible();
      await expect(events(page).getByText('A member rotated the key Search indexer kc_')).toBeVisible();
      await page.getByRole('button', { name: /^Details: .* changed the key Search indexer/ }).click();
      const row = page.getByRole('table', { name: 'Changes' }).getByRole('row', { name: 'Name' });
      expect(await row.getByRole('deletion').textContent()).toBe('Search');
      const line = await page.evaluate<string>(`getComputedStyle(document.querySelector('del')).textDecorationLine`);
      expect(line).toBe('line-through');
      expect(await row.getByRole('insertion').textContent()).toBe('Search indexer');
      await page.getByRole('link', { name: 'Events about Search indexer' }).click();
      await page.waitForURL(new RegExp(`targetId=${id}`));
      await waitFor(async () => (await keyField(page).inputValue()) === 'Search indexer');
    }),
  );

  it(
    'should show the history of a key on its page, with a link to the matching events',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createApiKey(dashboard.service, owner, 'Search');
      await createApiKey(dashboard.service, owner, 'Another');
      await callAsOwner(`PATCH /api-keys/${id}`, { name: 'Search indexer' });
      await visitor.signInAs(owner);
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.getByText('A member created the key Search kc_')).toBeVisible();
      await page.getByRole('link', { name: 'View in audit log' }).click();
      await expect(events(page).getByText('changed the key Search indexer')).toBeVisible();
      expect(await events(page).count()).toBe(2);
      await page.getByRole('button', { name: 'Clear key' }).click();
      await expect(events(page).getByText('created the key Another')).toBeVisible();
    }),
  );

  it(
    'should keep its filters in the URL',
    dashboard.test(async (visitor) => {
      await recordKeys(2);
      const colleague = await createMember(dashboard.service, { organizationId: owner.organizationId });
      await recordKeyCreation(dashboard.service, colleague, 'Key of the colleague');
      await callAsOwner('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      const page = await openLog(visitor);
      await expect(events(page).nth(3)).toBeVisible();
      await page.getByRole('combobox', { name: 'Action' }).click();
      await page.getByRole('option', { name: 'Key created' }).click();
      await page.waitForURL(/action=api-key\.create/);
      await expect(events(page).getByText('created the role')).toBeHidden();
      await page.getByRole('combobox', { name: 'Actor' }).fill(emailOf(colleague));
      await page.keyboard.press('Enter');
      await expect(events(page).getByText('Key 1')).toBeHidden();
      await page.reload();
      await expect(events(page).getByText('Key of the colleague')).toBeVisible();
      expect(await events(page).count()).toBe(1);
      await page.goBack();
      await expect(events(page).getByText('Key 1')).toBeVisible();
      expect(await page.getByRole('combobox', { name: 'Actor' }).inputValue()).toBe('');
    }),
  );

  it(
    'should keep a filter whose option is chosen again, and let the keyboard clear it',
    dashboard.test(async (visitor) => {
      await recordKeys(1);
      await callAsOwner('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      const page = await openLog(visitor, '?action=api-key.create');
      await expect(events(page).first()).toBeVisible();
      const action = page.getByRole('combobox', { name: 'Action' });
      await action.click();
      await page.getByRole('option', { name: 'Key created' }).click();
      expect(await action.inputValue()).toBe('Key created');
      await page.keyboard.press('Tab');
      await expect(page.getByRole('button', { name: 'Clear action' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(events(page).getByText('created the role')).toBeVisible();
      await expect(action).toBeFocused();
      await page.goto('/dashboard/audit-log?from=2026-03-02&to=2026-03-02');
      await page.getByRole('button', { name: 'Clear date' }).press('Enter');
      await expect(events(page).getByText('created the role')).toBeVisible();
      await expect(page.getByRole('button', { name: /^Date/ })).toBeFocused();
    }),
  );

  it(
    'should show the events of a key by its first characters, and never send more of a pasted one',
    dashboard.test(async (visitor) => {
      await createApiKey(dashboard.service, owner, 'Another');
      const { id, key } = await createApiKey(dashboard.service, owner, 'Leaked');
      await call(dashboard.service.url, `DELETE /api-keys/${id}`, { token: owner.token });
      const page = await openLog(visitor);
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      const field = keyField(page);
      await field.fill(key.slice(0, 8));
      await expect(events(page).getByText('created the key Another')).toBeHidden();
      expect(await events(page).count()).toBe(2);
      await field.press('Backspace');
      const instruction = page.getByText('Enter kc_ and the next 5 characters.');
      await expect(instruction).toBeVisible();
      await expect(events(page).getByText('created the key Another')).toBeVisible();
      await field.press('Enter');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await expect(instruction).toBeVisible();
      await page.getByRole('button', { name: 'Clear key' }).press('Enter');
      await expect(events(page).getByText('created the key Another')).toBeVisible();
      await expect(field).toBeFocused();
      await field.fill(`API_KEY="${key}"`);
      await expect(events(page).getByText('created the key Another')).toBeHidden();
      expect(await field.inputValue()).toBe(key.slice(0, 8));
      expect([page.url(), ...urls].filter((url) => url.includes(key.slice(0, 9)))).toEqual([]);
    }),
  );

  it(
    'should hide its filters behind a button in a narrow window, with the number of those that are set',
    dashboard.test(async (visitor) => {
      await recordKeys(1);
      const page = await openLog(visitor, '?action=role.delete');
      await expect(page.getByRole('combobox', { name: 'Action' })).toBeVisible();
      await page.getByRole('button', { name: 'Clear action' }).click();
      await expect(events(page).getByText('Key 1')).toBeVisible();
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await expect(page.getByRole('combobox', { name: 'Action' })).toBeHidden();
      await page.getByRole('button', { name: /^Details: .* created the key Key 1/ }).click();
      await page.getByRole('link', { name: /^Events by/ }).click();
      await page.getByRole('button', { name: 'Filters (1)' }).click();
      expect(await page.getByRole('combobox', { name: 'Actor' }).inputValue()).toBe(emailOf(owner));
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );

  it(
    'should find actions and kinds of targets by typing, and choose the first with Enter',
    dashboard.test(async (visitor) => {
      await recordKeys(1);
      await callAsOwner('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      const page = await openLog(visitor);
      const action = page.getByRole('combobox', { name: 'Action' });
      await action.focus();
      await page.keyboard.type('role cr');
      expect(await action.inputValue()).toBe('role cr');
      await page.keyboard.press('Enter');
      await page.waitForURL(/action=role\.create/);
      await page.getByRole('button', { name: 'Clear action' }).press('Enter');
      await page.getByRole('combobox', { name: 'Target' }).focus();
      await page.keyboard.type('rol');
      await page.keyboard.press('Enter');
      await page.waitForURL(/targetKind=role/);
      await expect(events(page).getByText('created the key')).toBeHidden();
    }),
  );

  it(
    'should choose the highlighted option with Enter after typing a single letter',
    dashboard.test(async (visitor) => {
      const page = await openLog(visitor);
      const target = page.getByRole('combobox', { name: 'Target' });
      for (const [letter, label] of [
        ['w', 'Webhooks'],
        ['s', 'API keys'],
      ] as const) {
        await target.focus();
        await page.keyboard.type(letter);
        // Timers that were started by the letter have run.
        await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('option').first()).toBeHidden();
        expect(await target.inputValue()).toBe(label);
      }
      await page.waitForURL(/targetKind=api-key/);
    }),
  );

  it(
    'should filter by date and let the user clear a filter without matches',
    dashboard.test(async (visitor) => {
      const about = { actorEmail: emailOf(owner), targetName: emailOf(owner) };
      await insertAuditEvents(dashboard.service, owner, [
        { ...about, action: 'sign-in', occurredAt: new Date('2026-03-01T10:00:00Z') },
        // The second of March in the visitor's time zone, Berlin.
        { ...about, action: 'sign-out', occurredAt: new Date('2026-03-01T23:30:00Z') },
      ]);
      const page = await openLog(visitor, '?from=2026-03-02&to=2026-03-02');
      await expect(page.getByRole('region', { name: '2 March 2026' }).getByText('signed out')).toBeVisible();
      expect(await events(page).count()).toBe(1);
      await page.goto('/dashboard/audit-log?from=2026-03-03&to=2026-03-04');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect(events(page).getByText('signed out')).toBeVisible();
    }),
  );

  it(
    'should filter by times of the first and the last day, to the minute, and keep them in the URL',
    dashboard.test(async (visitor) => {
      const about = { actorEmail: emailOf(owner), targetName: emailOf(owner) };
      // In the visitor's time zone, Berlin, 10:14, 10:15 and 10:16.
      await insertAuditEvents(dashboard.service, owner, [
        { ...about, action: 'sign-in', occurredAt: new Date('2026-03-02T09:14:59Z') },
        { ...about, action: 'password.change', occurredAt: new Date('2026-03-02T09:15:59Z') },
        { ...about, action: 'sign-out', occurredAt: new Date('2026-03-02T09:16:00Z') },
      ]);
      const page = await openLog(visitor, '?from=2026-03-02&to=2026-03-02');
      await expect(events(page).nth(2)).toBeVisible();
      const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
      await from.fill('10:15');
      await page.waitForURL(/from=2026-03-02T10/);
      await expect(events(page).getByText('signed in')).toBeHidden();
      await to.fill('10:14');
      await expect(page.getByText('Must be after the start.')).toBeVisible();
      await to.fill('10:15');
      await expect(events(page).getByText('signed out')).toBeHidden();
      await page.reload();
      await expect(events(page).getByText('changed their password')).toBeVisible();
      expect(await events(page).count()).toBe(1);
      expect([await from.inputValue(), await to.inputValue()]).toEqual(['10:15', '10:15']);
      await page.goBack();
      await expect(events(page).getByText('signed out')).toBeVisible();
      expect(await to.inputValue()).toBe('');
    }),
  );

  it(
    'should keep relative times and day headings up to date',
    dashboard.test(async (visitor) => {
      await recordKeys(1);
      await visitor.page.clock.install();
      const page = await openLog(visitor);
      await expect(events(page).getByText(/now|seconds ago/)).toBeVisible();
      await page.clock.fastForward(3 * 86_400_000);
      await expect(events(page).getByText('3 days ago')).toBeVisible();
      expect(await page.getByRole('region', { name: /^(Today|Yesterday)$/ }).count()).toBe(0);
    }),
  );

  it(
    'should load older events on demand, without duplicates',
    dashboard.test(async (visitor) => {
      // An hour apart, because events at once are grouped.
      const times = Array.from({ length: 60 }, (_, index) => new Date(Date.parse('2026-03-01') + index * 3_600_000));
      await insertAuditEvents(
        dashboard.service,
        owner,
        times.map((occurredAt, index) => ({
          action: 'api-key.create',
          targetKind: 'api-key',
          targetName: `Key ${index + 1}`,
          targetHint: 'kc_4fT9q',
          occurredAt,
        })),
      );
      const page = await openLog(visitor);
      await expect(events(page).nth(49)).toBeVisible();
      expect(await events(page).count()).toBe(50);
      await page.getByRole('button', { name: 'Load more' }).click();
      await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden();
      const texts = await events(page).allTextContents();
      const numbers = texts.map((text) => Number(/Key (\d+) kc_/.exec(text)?.[1]));
      expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
    }),
  );

  it(
    'should show what one person did at once as one event, and open to list each',
    dashboard.test(async (visitor) => {
      await recordKeys(15);
      await callAsOwner('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      const page = await openLog(visitor);
      await expect(events(page).getByText('A member created 15 keys')).toBeVisible();
      expect(await events(page).count()).toBe(2);
      const open = page.getByRole('button', { name: 'All 15 events: A member created 15 keys' });
      await open.press('Enter');
      await expect(page.getByText('A member created the key Key 15')).toBeVisible();
      expect(await events(page).count()).toBe(17);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await open.press('Enter');
      await expect(page.getByText('A member created the key Key 15')).toBeHidden();
    }),
  );

  it(
    'should show what two requests did to several keys as two events, however soon they follow each other',
    dashboard.test(async (visitor) => {
      const ids = [];
      for (let number = 1; number <= 5; number += 1) ids.push((await createApiKey(dashboard.service, owner)).id);
      await callAsOwner('POST /api-keys/bulk-delete', { ids: ids.slice(0, 2) });
      await callAsOwner('POST /api-keys/bulk-delete', { ids: ids.slice(2) });
      const page = await openLog(visitor, '?action=api-key.delete');
      await expect(events(page).getByText('A member deleted 3 keys')).toBeVisible();
      await expect(events(page).getByText('A member deleted 2 keys')).toBeVisible();
      expect(await events(page).count()).toBe(2);
    }),
  );

  it(
    'should show only the events of a request that a link names, and all again',
    dashboard.test(async (visitor) => {
      const ids = [];
      for (const name of ['First', 'Second']) ids.push((await createApiKey(dashboard.service, owner, name)).id);
      const { headers } = await callAsOwner('POST /api-keys/bulk-delete', { ids });
      const page = await openLog(visitor, `?requestId=${headers.get('x-request-id')}`);
      await expect(events(page).getByText('A member deleted 2 keys')).toBeVisible();
      expect(await events(page).count()).toBe(1);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show all requests' }).press('Enter');
      await expect(events(page).getByText('created the key First')).toBeVisible();
      expect(new URL(page.url()).search).toBe('');
    }),
  );

  it(
    'should show single changes one by one, however soon they follow each other',
    dashboard.test(async (visitor) => {
      const names = ['First', 'Second', 'Third'];
      for (const name of names) await callAsOwner('POST /roles', { name, permissions: ['get-usage'] });
      const page = await openLog(visitor, '?action=role.create');
      for (const name of names) await expect(events(page).getByText(`created the role ${name}`)).toBeVisible();
      expect(await events(page).count()).toBe(3);
    }),
  );

  it(
    'should focus the first new item after loading more, also if it belongs to an open group',
    dashboard.test(async (visitor) => {
      await callAsOwner('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      await recordKeys(60);
      const page = await openLog(visitor);
      await expect(events(page).getByText('A member created 50 keys')).toBeVisible();
      await page.getByRole('button', { name: 'Load more' }).press('Enter');
      await expect(events(page).getByText('A member created 60 keys')).toBeVisible();
      await expect(events(page).filter({ hasText: 'created the role' })).toBeFocused();
    }),
  );

  it(
    'should export all matching events as CSV, not just the loaded ones',
    dashboard.test(async (visitor) => {
      await recordKeys(55);
      await callAsOwner('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      const page = await openLog(visitor, '?action=api-key.create');
      await expect(events(page).first()).toBeVisible();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^audit-events-\d{4}-\d\d-\d\d\.csv$/);
      const [header, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
      expect(header).toMatch(/^"id","occurredAt",/);
      expect(lines).toHaveLength(55);
      expect(lines.every((line) => line.includes(',"api-key.create",'))).toBe(true);
    }),
  );

  it(
    'should never show events of another organization',
    dashboard.test(async (visitor) => {
      const stranger = await createMember(dashboard.service);
      await recordKeyCreation(dashboard.service, stranger, 'Key of a stranger');
      await recordKeys(1);
      const page = await openLog(visitor);
      await expect(events(page).getByText('Key 1')).toBeVisible();
      expect(await events(page).count()).toBe(1);
      await page.goto(`/dashboard/audit-log?actorEmail=${emailOf(stranger)}`);
      await expect(page.getByRole('heading', { name: 'No matching events' })).toBeVisible();
    }),
  );

  it(
    'should be hidden from users without the permission to read it',
    dashboard.test(async (visitor) => {
      owner = await createMember(dashboard.service, {
        permissions: allPermissions.filter((permission) => permission !== 'get-audit-events'),
      });
      const page = visitor.page;
      await visitor.signInAs(owner);
      await page.goto('/dashboard/audit-log');
      await expect(page.getByRole('heading', { name: "You don't have access to this page" })).toBeVisible();
      expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    }),
  );

  it(
    'should fit the calendar and its presets into a narrow window',
    dashboard.test(async (visitor) => {
      const page = await openLog(visitor);
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('button', { name: /^Date/ }).click();
      await expect(page.getByRole('button', { name: 'Last 7 days' })).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );

  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { id } = await createApiKey(dashboard.service, owner, 'Search');
      await callAsOwner(`PATCH /api-keys/${id}`, { name: 'Search indexer' });
      await callAsOwner('POST /auth/sign-in', { email: emailOf(owner), password: 'wrong' });
      const page = await openLog(visitor, `?targetKind=api-key&targetId=${id}`);
      await page.getByRole('button', { name: /changed the key/ }).click();
      await expect(page.getByRole('link', { name: `Events by ${emailOf(owner)}` })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByPlaceholder('Any action').click();
      await page.getByRole('option').first().waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
