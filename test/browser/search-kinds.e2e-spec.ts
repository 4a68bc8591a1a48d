import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { openDashboard } from './setup/dashboard.js';
import { holdBack } from './setup/hold-back.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const results = (page: Page, group: string) =>
  page.getByRole('group', { name: group, exact: true }).getByRole('option');
const selected = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true });

/** Opens the search as a member. */
async function openSearch(visitor: Visitor, member = owner) {
  await visitor.visit(member, '/dashboard/organization');
  await visitor.page.keyboard.press('Control+k');
  return visitor.page.getByRole('combobox', { name: 'Search pages' });
}

/** Creates a key, and deletes it. */
async function deleteNewKey(name: string): Promise<{ id: string; hint: string }> {
  const { id, key } = await createApiKey(dashboard.service, owner, name);
  await call(dashboard.service.url, `DELETE /api-keys/${id}`, { token: owner.token });
  return { id, hint: key.slice(0, 8) };
}

/** Removes a new member from the organization of the owner. */
async function removeNewMember(name: string): Promise<Member> {
  const member = await createColleague(dashboard.service, owner, name);
  await removeMember(dashboard.service, member, owner);
  return member;
}

function createRole(name: string) {
  const body = { name, permissions: ['get-usage'] };
  return call(dashboard.service.url, 'POST /roles', { token: owner.token, body });
}

describe('The search', () => {
  it(
    'should find roles by name, and open the role',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole('Billing clerk');
      const field = await openSearch(visitor);
      await field.fill('BILLING');
      await expect(results(page, 'Roles').getByText('Billing clerk')).toBeVisible();
      await page.keyboard.press('Enter');
      const role = page.getByRole('dialog', { name: 'Billing clerk' });
      await expect(role.getByRole('checkbox', { checked: true }).first()).toBeVisible();
    }),
  );

  it(
    'should find models by id, and open the list of models',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const field = await openSearch(visitor);
      await field.fill('sentence-enc');
      await expect(results(page, 'Models').getByText('universal-sentence-encoder-lite')).toBeVisible();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard/models');
    }),
  );

  it(
    'should find removed members by name after current ones, and open their page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const current = await createColleague(dashboard.service, owner, 'Grace Hall');
      const removed = await removeNewMember('Grace Hopper');
      const field = await openSearch(visitor);
      await field.fill('grace');
      await expect(results(page, 'Removed members').getByText('Grace Hopper')).toBeVisible();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/members/${current.userId}`);
      await page.keyboard.press('Control+k');
      await field.fill('grace hop');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/members/${removed.userId}`);
      await expect(page.getByRole('term').filter({ hasText: /^Removed$/ })).toBeVisible();
    }),
  );

  it(
    'should find deleted keys by name after current ones, and show their events',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id, hint } = await deleteNewKey('Search indexer');
      await createApiKey(dashboard.service, owner, 'Search frontend');
      const field = await openSearch(visitor);
      await field.fill('search');
      const deleted = results(page, 'Deleted keys');
      await expect(deleted.and(page.getByRole('option', { name: `Search indexer ${hint}… · Deleted` }))).toBeVisible();
      await expect(selected(page).and(page.getByRole('option', { name: /^Search frontend/ }))).toBeVisible();
      await deleted.click();
      await page.waitForURL(`**/dashboard/audit-log?targetId=${id}`);
      await expect(page.getByText('deleted the key Search indexer')).toBeVisible();
    }),
  );

  it(
    'should open a current key by Enter, even if a deleted one is found earlier',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await deleteNewKey('Search indexer');
      const { id } = await createApiKey(dashboard.service, owner, 'Search indexer');
      const field = await openSearch(visitor);
      const { release, requested } = await holdBack(page, '/api-keys');
      await field.fill('search indexer');
      await expect(results(page, 'Deleted keys')).toBeVisible();
      await page.keyboard.press('Enter');
      await requested;
      release();
      await page.waitForURL(`**/dashboard/keys/${id}`);
    }),
  );

  it(
    'should look for roles, removed members and deleted keys only with the permission to see them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createRole('Search team');
      await removeNewMember('Search Bot');
      await deleteNewKey('Search indexer');
      const reader = await createColleague(dashboard.service, owner, 'Reader', { permissions: ['get-api-keys'] });
      const field = await openSearch(visitor, reader);
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await field.fill('search');
      await expect(page.getByText('Nothing found')).toBeVisible();
      expect(paths).toContain('/api-keys');
      expect(paths.filter((path) => /^\/(roles|people|members|service-accounts|audit-events)/.test(path))).toEqual([]);
    }),
  );
});
