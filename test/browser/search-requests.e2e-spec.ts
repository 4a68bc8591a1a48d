import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createColleague, createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
const selected = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true });

/** Opens the search as a member. */
async function openSearch(visitor: Visitor, member = owner) {
  await visitor.visit(member, '/dashboard/organization');
  await visitor.page.keyboard.press('Control+k');
  return visitor.page.getByRole('combobox', { name: 'Search pages' });
}

/** Sends a request that fails with a new key, and waits until it's logged. */
async function failWithNewKey(): Promise<{ id: string; requestId: string }> {
  const { service } = dashboard;
  const { id, key } = await createApiKey(service, owner, 'Search indexer');
  const body = { model: 'unknown', input: 'text' };
  const { headers } = await call(service.url, 'POST /v1/embeddings', { token: key, body });
  const requestId = headers.get('x-request-id') ?? '';
  await waitFor(async () => {
    const response = await call(service.url, `GET /api-keys/requests?requestId=${requestId}`, { token: owner.token });
    const [found] = (response.body as { apiKeys: { requests: object[] }[] }).apiKeys;
    return found?.requests.length === 1;
  });
  return { id, requestId };
}

describe('The search', () => {
  it(
    'should lead from a pasted request ID to the request on the page of its key',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id, requestId } = await failWithNewKey();
      const field = await openSearch(visitor);
      await field.fill(` ${requestId} `);
      const option = page.getByRole('option', { name: /^Request of Search indexer POST \/v1\/embeddings · 404 · / });
      await expect(selected(page).and(option)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/keys/${id}?requestId=${requestId}#latest-requests`);
      const latest = section(page, 'Latest requests');
      await expect(latest.getByText('1–1 of 1')).toBeVisible();
      expect(await latest.getByRole('searchbox', { name: 'Request ID' }).inputValue()).toBe(requestId);
      await expect(section(page, 'Failed and rejected requests').getByText('404 model_not_found')).toBeVisible();
      await latest.getByRole('button', { name: 'Clear search' }).click();
      await page.waitForURL((url) => url.search === '');
    }),
  );

  it(
    'should lead from the ID of a request that changed something to its events',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const body = { name: 'Reviewer', permissions: ['get-usage'] };
      const { headers } = await call(dashboard.service.url, 'POST /roles', { token: owner.token, body });
      const requestId = headers.get('x-request-id') ?? '';
      const field = await openSearch(visitor);
      await field.fill(requestId);
      const option = page.getByRole('option', { name: `Events of request ${requestId}` });
      await expect(selected(page).and(option)).toBeVisible();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/audit-log?requestId=${requestId}`);
      await expect(page.getByText('created the role Reviewer')).toBeVisible();
    }),
  );

  it(
    'should say which requests are kept if none has the ID, and look up nothing else',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const field = await openSearch(visitor);
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await field.fill('Search indexer');
      await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
      expect(paths).not.toContain('/api-keys/requests');
      await field.fill(randomUUID());
      await expect(page.getByText('No stored request has this ID.')).toBeVisible();
      await expect(page.getByText('Keycard keeps the latest 1,000 requests of each key for 30 days')).toBeVisible();
      expect(paths).toContain('/api-keys/requests');
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should not look for requests that the user may not see',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const reader = await createColleague(dashboard.service, owner, 'Reader', { permissions: ['get-members'] });
      const field = await openSearch(visitor, reader);
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await field.fill(randomUUID());
      await expect(page.getByText("Your role can't search for requests of keys.")).toBeVisible();
      expect(paths.filter((path) => ['/api-keys/requests', '/audit-events'].includes(path))).toEqual([]);
    }),
  );
});
