import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { confirmSaved, createKey } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { holdBack } from './setup/hold-back.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

describe('The search', () => {
  it(
    'should keep what is typed before it is loaded',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await context.route('**/CommandPalette-*.js', async (route) => {
        await released;
        await route.continue();
      });
      await visitor.visit(await createMember(dashboard.service), '/dashboard/organization');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('play');
      release();
      const field = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });
      await expect(page.getByRole('option', { name: 'Playground', selected: true })).toBeVisible();
      await page.keyboard.type('ground');
      await waitFor(async () => (await field.inputValue()) === 'playground');
    }),
  );

  it(
    'should find pages, keys and members from every page by Ctrl-K, highlight the first, and never send more than 8 characters of a key',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      for (let number = 1; number <= 6; number += 1) await createApiKey(dashboard.service, member, `Batch ${number}`);
      await dashboard.service.query(`update api_keys set enabled = false where name = 'Batch 6'`);
      await visitor.visit(member, '/dashboard/organization');
      const field = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });

      const selected = page.getByRole('dialog').getByRole('option', { selected: true });

      await page.keyboard.press('Control+k');
      const first = selected.and(page.getByRole('option', { name: 'Overview', exact: true }));
      await expect(first).toBeVisible();
      await page.keyboard.press('ArrowUp');
      await expect(selected.and(page.getByRole('option', { name: 'Sign out' }))).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await expect(first).toBeVisible();
      await field.fill('play');
      await expect(selected.and(page.getByRole('option', { name: 'Playground' }))).toBeVisible();
      expect(await field.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard/playground');
      await expect(page.getByRole('main')).toBeFocused();

      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      await page.keyboard.press('Control+k');
      await field.fill(`kcs_${key.slice(3)}`);
      await expect(
        selected.and(page.getByRole('option', { name: /^Find kcs_\w{5}… in the audit log$/ })),
      ).toBeVisible();
      await field.fill('kc_00000');
      await expect(selected.and(page.getByRole('option', { name: 'Find kc_00000… in the audit log' }))).toBeVisible();
      await field.fill('no such thing');
      await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
      await field.fill(`API_KEY="${key}"`);
      await expect(selected.and(page.getByRole('option', { name: /^Search indexer/ }))).toBeVisible();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/keys/${id}`);
      expect(urls.filter((url) => url.includes(key.slice(3, 9)))).toEqual([]);

      await page.keyboard.press('Control+k');
      await field.fill('batch');
      await expect(page.getByRole('option', { name: /^Batch 6 .* Disabled$/ })).toBeVisible();
      await expect(page.getByRole('option', { name: /^Batch 5 \S+…$/ })).toBeVisible();
      await page.getByRole('option', { name: 'Show all 6 keys matching “batch”' }).click();
      await page.waitForURL('**/dashboard/keys?name=batch');

      await page.getByRole('button', { name: /^Search/ }).press('Enter');
      await field.fill(member.userId);
      await expect(selected.and(page.getByRole('option', { name: /@example\.com$/ }))).toBeVisible();
      await field.press('Enter');
      await page.waitForURL(`**/dashboard/members/${member.userId}`);
      await expect(page.getByRole('heading', { level: 1, name: 'A member' })).toBeVisible();
      await expect(page.getByRole('main')).toBeFocused();
    }),
  );

  it(
    'should find a key that was rotated by the start of its previous secret, and say so',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      const body = { gracePeriodSeconds: 600 };
      await call(dashboard.service.url, `POST /api-keys/${id}/rotate`, { token: member.token, body });
      await visitor.visit(member, '/dashboard/organization');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' }).fill(key.slice(0, 8));
      const found = page.getByRole('option', { name: /^Search indexer/ });
      await expect(found.getByText(`Previous secret: ${key.slice(0, 8)}…`)).toBeVisible();
    }),
  );

  it(
    'should move the focus to the next page, or return it, while it fades out',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await visitor.visit(await createMember(dashboard.service), '/dashboard/roles');
      const field = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });
      const main = page.getByRole('main');
      // The second time, the pages are loaded, so they are shown before the search has faded out.
      for (const path of ['models', 'roles', 'models', 'roles']) {
        await page.keyboard.press('Control+k');
        await field.fill(path);
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/dashboard/${path}`);
        await field.waitFor({ state: 'detached' });
        await expect(main).toBeFocused();
      }
      await page.goto('/dashboard/account');
      await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
      await page.keyboard.press('Control+k');
      await field.fill('roles');
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
      await expect(page.getByRole('button', { name: 'Keep editing' })).toBeFocused();
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await page.waitForURL('**/dashboard/roles');

      const link = page.getByRole('link', { name: 'Usage' });
      await link.focus();
      await page.keyboard.press('Control+k');
      await field.fill('theme');
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
      await expect(link).toBeFocused();
    }),
  );

  it(
    "should run the actions that the user has permission for: create a key, or change the dashboard's and the docs' colors",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service, {
        permissions: ['get-api-keys', 'create-api-keys', 'get-members'],
      });
      await visitor.visit(member, '/dashboard/models');
      const field = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });
      const action = (name: string) => page.getByRole('dialog').getByRole('option', { name, exact: true });

      await page.keyboard.press('Control+k');
      await expect(action('Sign out')).toBeVisible();
      expect(await action('Invite member').count()).toBe(0);
      await field.fill('theme');
      await page.keyboard.press('Enter');
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor();

      const link = page.getByRole('link', { name: 'Models' });
      const openDialog = async () => {
        await page.keyboard.press('Control+k');
        await field.fill('create key');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog', { name: 'Create key' }).waitFor();
      };
      await link.focus();
      await openDialog();
      await page.keyboard.press('Escape');
      await expect(link).toBeFocused();
      await openDialog();
      await createKey(page, 'Search indexer');
      await confirmSaved(page);
      await page.waitForURL('**/dashboard/keys');

      await page.goto('/dashboard/members');
      // Only this page has it.
      await page.getByRole('searchbox', { name: 'Search by name or email' }).focus();
      await openDialog();
      await createKey(page, 'Batch indexer');
      await confirmSaved(page);
      await page.waitForURL('**/dashboard/keys');
      await expect(page.getByRole('main')).toBeFocused();

      await page.route('**/assets/reference-*.js', () => undefined);
      await page.goto('/docs', { waitUntil: 'domcontentloaded' });
      await page.locator('html.dark-mode').waitFor();
      expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(19, 19, 25)');
    }),
  );
});

describe('The search', () => {
  it(
    'should switch to another organization of the user',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await call(dashboard.service.url, 'POST /organizations', { token: member.token, body: { name: 'Northwind' } });
      await visitor.visit(member, '/dashboard/models');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' }).fill('northw');
      await page.getByRole('option', { name: 'Switch to Northwind' }).click();
      await expect(page.getByRole('button', { name: 'Organization: Northwind' })).toBeVisible();
    }),
  );

  it(
    'should not preselect the switch to another organization, even if it is found first or alone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { field, selected, releaseKeys } = await searchWithSlowKeys(visitor, 'Northwind indexer', 'Northwind');
      await page.keyboard.press('Control+k');
      await field.fill('northw');
      const other = page.getByRole('option', { name: 'Switch to Northwind' });
      await expect(other).toBeVisible();
      await page.keyboard.press('Enter');
      releaseKeys();
      await page.waitForURL('**/dashboard/keys/*');

      await page.keyboard.press('Control+k');
      await field.fill('switch to');
      await expect(selected.and(page.getByRole('option', { name: /^Switch to \w+ mode$/ }))).toBeVisible();
      // Results for the previous text may still be there, and aren't preselected either.
      await field.fill('sign out');
      await expect(page.getByRole('option', { name: 'Sign out', exact: true })).toBeVisible();
      await page.keyboard.press('Enter');
      expect(await selected.count()).toBe(0);
      await field.fill('northwind');
      await expect(page.getByRole('option', { name: /^Northwind indexer/ })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await expect(selected.and(other)).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Organization: Northwind' })).toBeVisible();
    }),
  );

  it(
    'should preselect the first result once nothing can precede it, and keep a result chosen with the arrow keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { field, selected, releaseKeys } = await searchWithSlowKeys(visitor, 'Program runner');
      const result = (name: string | RegExp) => selected.and(page.getByRole('option', { name }));
      await page.keyboard.press('Control+k');
      await field.fill('program');
      await expect(page.getByRole('option', { name: 'Service accounts' })).toBeVisible();
      expect(await selected.count()).toBe(0);
      releaseKeys();
      await expect(result(/^Program runner/)).toBeVisible();

      await page.reload();
      const releaseAgain = await holdKeys(page);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await field.fill('program');
      await expect(page.getByRole('option', { name: 'Service accounts' })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await expect(result('Create service account')).toBeVisible();
      releaseAgain();
      await expect(page.getByRole('option', { name: /^Program runner/ })).toBeVisible();
      await expect(result('Create service account')).toBeVisible();
      await page.keyboard.press('ArrowUp');
      await expect(result('Service accounts')).toBeVisible();
    }),
  );
});

describe('The search of a slow server', () => {
  it(
    'should neither say that nothing was found nor lead to the audit log before the response, also after other results',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member, 'Search indexer');
      const hint = key.slice(0, 8);
      await visitor.visit(member, '/dashboard/roles');
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });
      const searching = page.getByText('Searching…');
      const inLog = page.getByRole('option', { name: `Find ${hint}… in the audit log` });
      const nothing = page.getByText('Nothing found');
      await field.fill('zzz');
      await expect(nothing).toBeVisible();

      for (const path of ['/api-keys', '/members']) {
        const { release, requested } = await holdBack(page, path);
        await field.fill(`yyy ${path}`);
        await requested;
        await expect(searching).toBeVisible();
        expect(await nothing.count()).toBe(0);
        release();
        await expect(nothing).toBeVisible();
      }

      const { release, requested } = await holdBack(page, '/api-keys');
      await field.fill(hint);
      await requested;
      await expect(searching).toBeVisible();
      expect(await inLog.count()).toBe(0);
      release();
      await expect(page.getByRole('option', { name: /^Search indexer/ })).toBeVisible();
      expect(await inLog.count()).toBe(0);
    }),
  );

  it(
    'should say that it failed instead of that nothing was found',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/roles');
      await page.route(
        (url) => url.pathname === '/api-keys',
        (route) => route.fulfill({ status: 400, json: { code: 'invalid-request', detail: 'Invalid.' } }),
      );
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' }).fill('zzz');
      await expect(page.getByText('The search failed. Try again.')).toBeVisible();
    }),
  );
});

/** Holds back searches for keys until the returned function is called. */
async function holdKeys(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    (url) => url.pathname === '/api-keys',
    async (route) => {
      await released;
      await route.fallback();
    },
  );
  return release;
}

/** Opens the dashboard as a member of two organizations, with a key that searches find late. */
async function searchWithSlowKeys(visitor: Visitor, keyName: string, otherOrganization = 'Contoso') {
  const { page } = visitor;
  const member = await createMember(dashboard.service);
  const body = { name: otherOrganization };
  await call(dashboard.service.url, 'POST /organizations', { token: member.token, body });
  await createApiKey(dashboard.service, member, keyName);
  await visitor.visit(member, '/dashboard/models');
  const releaseKeys = await holdKeys(page);
  const field = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });
  return { field, selected: page.getByRole('dialog').getByRole('option', { selected: true }), releaseKeys };
}

describe('Ctrl-K', () => {
  it(
    'should be ignored while a dialog is open',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/roles');
      const dialogs = page.getByRole('dialog');
      const search = page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' });
      const openSearch = async () => {
        await page.keyboard.press('Control+k');
        await expect(search).toBeFocused();
      };
      // Loads the search, so that it would open immediately.
      await openSearch();
      await page.keyboard.press('Escape');
      await dialogs.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Create role' }).click();
      const name = dialogs.getByRole('textbox', { name: 'Name' });
      await name.fill('Auditor');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('s');
      expect(await name.inputValue()).toBe('Auditors');
      expect(await dialogs.count()).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await dialogs.first().waitFor({ state: 'detached' });
      await openSearch();
    }),
  );

  it(
    'should open the search while a dialog fades out',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await visitor.visit(await createMember(dashboard.service), '/dashboard/roles');
      const button = page.getByRole('button', { name: 'Create role' });
      await button.click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
      await page.keyboard.press('Escape');
      await expect(button).toBeFocused();
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('combobox', { name: 'Search pages, actions, keys, tags and members' })).toBeFocused();
    }),
  );
});

describe('A search field', () => {
  it.each<[list: string, path: string, prefix: string]>([
    ['keys', '/dashboard/keys', 'kc_'],
    ['members', '/dashboard/members', 'kcs_'],
  ])(
    'should send only the first characters of a secret: %s',
    dashboard.test(async (visitor, _list, path, prefix) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member);
      const hint = `${prefix}${key.slice(3, 8)}`;
      await visitor.visit(member, path);
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      const response = page.waitForResponse((received) => received.url().includes(hint));
      await page.getByRole('searchbox').fill(`SECRET="${prefix}${key.slice(3)}"`);
      await response;
      await page.waitForURL((url) => url.search.includes(hint));
      expect([page.url(), ...urls].filter((url) => url.includes(key.slice(3, 9)))).toEqual([]);
    }),
  );
});

describe('The skip link', () => {
  it(
    'should be first in the tab order, and move the focus to the content',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(await createMember(dashboard.service), '/dashboard/organization');
      // The content has nothing to focus until it is loaded.
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: 'Skip to content' }).and(page.locator(':focus'))).toBeVisible();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect(page.getByRole('main').locator(':focus')).toBeVisible();
    }),
  );
});
