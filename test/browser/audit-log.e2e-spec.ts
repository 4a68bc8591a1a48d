import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { allPermissions } from '../../src/access/permissions.js';
import { createApiKey } from '../factories/api-keys.js';
import { insertAuditEvents, recordKeyCreation } from '../factories/audit-log.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const emailOf = ({ userId }: Member) => `${userId}@example.com`;
const events = (page: Page) => page.getByRole('main').getByRole('listitem');
const change = (route: string, body: object) => call(dashboard.service.url, route, { token: owner.token, body });

/** The audit log as the owner sees it. */
async function openLog(visitor: Visitor, search = ''): Promise<Page> {
  const { page } = visitor;
  await visitor.signInAs(owner);
  await page.goto(`/dashboard/audit-log${search}`);
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  return page;
}

/** Creates keys that are called Key 1, Key 2 and so on, as far as the log can tell. */
async function recordKeys(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await recordKeyCreation(dashboard.service, owner, `Key ${number}`);
  }
}

describe('The audit log', () => {
  it(
    'should tell what was done in sentences, and what changed when they are opened',
    dashboard.test(async (visitor) => {
      const { id } = await createApiKey(dashboard.service, owner, 'Search');
      await change(`PATCH /api-keys/${id}`, { name: 'Search indexer' });
      await change(`POST /api-keys/${id}/rotate`, { gracePeriodSeconds: 3600 });
      const page = await openLog(visitor);
      await events(page)
        .getByText(`${emailOf(owner)} created the key Search kc_`)
        .waitFor();
      await events(page)
        .getByText(`${emailOf(owner)} rotated the key Search indexer kc_`)
        .waitFor();
      await page.getByRole('button', { name: /^Details: .* changed the key Search indexer/ }).click();
      const row = page.getByRole('table', { name: 'What changed' }).getByRole('row', { name: 'Name' });
      expect(await row.getByRole('deletion').textContent()).toBe('Search');
      expect(await row.getByRole('insertion').textContent()).toBe('Search indexer');
      await page.getByRole('link', { name: 'Everything done to Search indexer' }).click();
      await page.waitForURL(new RegExp(`targetId=${id}`));
      await page.getByText('Only Search').waitFor();
    }),
  );

  it(
    'should be shown of one key on its page, with the way to all of it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createApiKey(dashboard.service, owner, 'Search');
      await createApiKey(dashboard.service, owner, 'Another');
      await change(`PATCH /api-keys/${id}`, { name: 'Search indexer' });
      await visitor.signInAs(owner);
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByText(`${emailOf(owner)} created the key Search kc_`).waitFor();
      await page.getByRole('link', { name: 'See all in the audit log' }).click();
      await events(page).getByText('changed the key Search indexer').waitFor();
      expect(await events(page).count()).toBe(2);
      await page.getByRole('button', { name: 'Show those of others, too' }).click();
      await events(page).getByText('created the key Another').waitFor();
    }),
  );

  it(
    'should keep its filters in the address',
    dashboard.test(async (visitor) => {
      await recordKeys(2);
      const colleague = await createMember(dashboard.service, { organizationId: owner.organizationId });
      await recordKeyCreation(dashboard.service, colleague, 'Key of the colleague');
      await change('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      const page = await openLog(visitor);
      await events(page).nth(3).waitFor();
      await page.getByRole('combobox', { name: 'What' }).click();
      await page.getByRole('option', { name: 'Key created' }).click();
      await page.waitForURL(/action=api-key\.create/);
      await events(page).getByText('created the role').waitFor({ state: 'hidden' });
      await page.getByRole('combobox', { name: 'Who' }).fill(emailOf(colleague));
      await page.keyboard.press('Enter');
      await events(page).getByText('Key 1').waitFor({ state: 'hidden' });
      await page.reload();
      await events(page).getByText('Key of the colleague').waitFor();
      expect(await events(page).count()).toBe(1);
      await page.goBack();
      await events(page).getByText('Key 1').waitFor();
      expect(await page.getByRole('combobox', { name: 'Who' }).inputValue()).toBe('');
    }),
  );

  it(
    'should show the days that are chosen, and lead out of a filter that nothing fits',
    dashboard.test(async (visitor) => {
      const about = { actorEmail: emailOf(owner), targetName: emailOf(owner) };
      await insertAuditEvents(dashboard.service, owner, [
        { ...about, action: 'sign-in', occurredAt: new Date('2026-03-01T10:00:00Z') },
        // In Berlin, where the visitor is, that is the second of March.
        { ...about, action: 'sign-out', occurredAt: new Date('2026-03-01T23:30:00Z') },
      ]);
      const page = await openLog(visitor, '?from=2026-03-02&to=2026-03-02');
      await page.getByRole('region', { name: '2 March 2026' }).getByText('signed out').waitFor();
      expect(await events(page).count()).toBe(1);
      await page.goto('/dashboard/audit-log?from=2026-03-03&to=2026-03-04');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await events(page).getByText('signed out').waitFor();
    }),
  );

  it(
    'should go on telling how long ago it was, and on which day',
    dashboard.test(async (visitor) => {
      await recordKeys(1);
      await visitor.page.clock.install();
      const page = await openLog(visitor);
      await events(page)
        .getByText(/now|seconds ago/)
        .waitFor();
      await page.clock.fastForward(3 * 86_400_000);
      await events(page).getByText('3 days ago').waitFor();
      expect(await page.getByRole('region', { name: /^(Today|Yesterday)$/ }).count()).toBe(0);
    }),
  );

  it(
    'should load older events on demand, each once',
    dashboard.test(async (visitor) => {
      await recordKeys(60);
      const page = await openLog(visitor);
      await events(page).nth(49).waitFor();
      expect(await events(page).count()).toBe(50);
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
      const texts = await events(page).allTextContents();
      const numbers = texts.map((text) => Number(/Key (\d+) kc_/.exec(text)?.[1]));
      expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
    }),
  );

  it(
    'should save what the filter leaves, all pages of it, as CSV',
    dashboard.test(async (visitor) => {
      await recordKeys(55);
      await change('POST /roles', { name: 'Auditor', permissions: ['get-usage'] });
      const page = await openLog(visitor, '?action=api-key.create');
      await events(page).first().waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^audit-events-\d{4}-\d\d-\d\d\.csv$/);
      const [header, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
      expect(header).toMatch(/^"id","occurredAt",/);
      expect(lines).toHaveLength(55);
      for (const line of lines) expect(line).toContain(',"api-key.create",');
    }),
  );

  it(
    'should never show what happened in another organization',
    dashboard.test(async (visitor) => {
      const stranger = await createMember(dashboard.service);
      await recordKeyCreation(dashboard.service, stranger, 'Key of a stranger');
      await recordKeys(1);
      const page = await openLog(visitor);
      await events(page).getByText('Key 1').waitFor();
      expect(await events(page).count()).toBe(1);
      await page.goto(`/dashboard/audit-log?actorEmail=${emailOf(stranger)}`);
      await page.getByRole('heading', { name: 'Nothing like this has happened' }).waitFor();
    }),
  );

  it(
    'should not be there for those who may not read it',
    dashboard.test(async (visitor) => {
      owner = await createMember(dashboard.service, {
        permissions: allPermissions.filter((permission) => permission !== 'get-audit-events'),
      });
      const page = visitor.page;
      await visitor.signInAs(owner);
      await page.goto('/dashboard/audit-log');
      await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
      expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      await visitor.page.emulateMedia({ colorScheme });
      const { id } = await createApiKey(dashboard.service, owner, 'Search');
      await change(`PATCH /api-keys/${id}`, { name: 'Search indexer' });
      await change('POST /auth/sign-in', { email: emailOf(owner), password: 'wrong' });
      const page = await openLog(visitor, `?targetKind=api-key&targetId=${id}`);
      await page.getByRole('button', { name: /changed the key/ }).click();
      await page.getByRole('link', { name: 'Everything by A member' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
