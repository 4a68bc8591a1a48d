import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { embed } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { readStyle } from './setup/computed-style.js';
import { openDashboard } from './setup/dashboard.js';
import { listBrokenWords, measureOverflow, narrowWindow } from './setup/narrow-window.js';
import { filterInUrl } from './setup/usage.js';

const dashboard = openDashboard();

/** Creates a key with this number of failed requests, and waits until they are recorded. */
async function createFailingKey(failures: number) {
  const { service } = dashboard;
  const member = await createMember(service);
  const { id, key } = await createApiKey(service, member);
  for (let count = 0; count < failures; count++) expect(await embed(service, key, 'unknown')).toBe(404);
  await waitForFailures(member, id, failures);
  return { member, id };
}

/** Waits until this number of failed requests of a key is recorded. */
function waitForFailures(member: Member, id: string, count: number): Promise<void> {
  return waitFor(async () => {
    const { body } = await call(dashboard.service.url, `GET /api-keys/${id}/failures`, { token: member.token });
    return (body as { failures: unknown[] }).failures.length === count;
  });
}

describe('The page of a key', () => {
  it(
    'should list its failed requests and what to do about them, without accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, id } = await createFailingKey(6);
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const section = page.getByRole('region', { name: 'Failed and rejected requests', exact: true }).first();
      await expect(section.getByText('404 model_not_found').first()).toBeVisible();
      await expect(section.getByText('Choose a model listed by GET /v1/models.').first()).toBeVisible();
      await expect(section.getByText('POST /v1/embeddings', { exact: true }).first()).toBeVisible();
      await expect(section.getByText('“unknown”', { exact: true }).first()).toBeVisible();
      await section.getByRole('button', { name: 'Show all 6' }).click();
      expect(await section.getByRole('row').count()).toBe(7);
      await expect(section.getByRole('button', { name: 'Show fewer' })).toBeFocused();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should show the request ID in a narrow window, and copy it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, id } = await createFailingKey(1);
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const { body } = await call(dashboard.service.url, `GET /api-keys/${id}/failures`, { token: member.token });
      const { failures } = body as { failures: [{ requestId: string }] };
      const section = page.getByRole('region', { name: 'Failed and rejected requests', exact: true }).first();
      await expect(section.getByText(failures[0].requestId).filter({ visible: true })).toBeVisible();
      await section.getByRole('button', { name: 'Copy request ID' }).click();
      await expect(section.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(failures[0].requestId);
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );

  it(
    'should find one of its failed requests by the request ID, and say why one may be missing',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, id } = await createFailingKey(6);
      const { body } = await call(dashboard.service.url, `GET /api-keys/${id}/failures`, { token: member.token });
      const requestId = (body as { failures: { requestId: string }[] }).failures.at(-1)?.requestId ?? '';
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const section = page.getByRole('region', { name: 'Failed and rejected requests', exact: true }).first();
      const field = section.getByRole('searchbox', { name: 'Request ID' });
      await field.fill(requestId);
      await expect(section.getByRole('button', { name: 'Show all 6' })).toBeHidden();
      await expect(section.getByText(requestId).filter({ visible: true })).toBeVisible();
      expect(await section.getByRole('row').count()).toBe(2);
      await field.fill(requestId.slice(0, -1));
      await expect(section.getByText(/^No failed or rejected request with this ID is kept\./)).toBeVisible();
    }),
  );

  it(
    'should name the fields of an invalid request',
    dashboard.test(async (visitor) => {
      const { service } = dashboard;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member);
      const body = { model: 'universal-sentence-encoder-lite', input: ['a', ''] };
      expect((await call(service.url, 'POST /v1/embeddings', { token: key, body })).status).toBe(400);
      await waitForFailures(member, id, 1);
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(visitor.page.getByText('Field: input').first()).toBeVisible();
      await expect(visitor.page.getByText('400', { exact: true }).first()).toBeVisible();
    }),
  );

  it(
    'should list a request that was rejected before any was accepted, and not wait for one',
    dashboard.test(async (visitor) => {
      const { service } = dashboard;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member);
      const body = { addresses: ['203.0.113.7'] };
      await call(service.url, `PATCH /api-keys/${id}`, { token: member.token, body });
      expect(await embed(service, key)).toBe(403);
      await waitForFailures(member, id, 1);
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(visitor.page.getByText('403 address_not_allowed').first()).toBeVisible();
      await expect(visitor.page.getByText('Waiting for the first request…')).toBeHidden();
    }),
  );

  it(
    'should say that nothing failed',
    dashboard.test(async (visitor) => {
      const { member, id } = await createFailingKey(0);
      await visitor.visit(member, `/dashboard/keys/${id}`);
      await expect(visitor.page.getByText('No failed or rejected requests in the last 30 days.')).toBeVisible();
    }),
  );
});

describe('The usage page', () => {
  it(
    'should explain why requests failed, fit a narrow window, and lead to the latest ones',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member } = await createFailingKey(2);
      await visitor.visit(member, '/dashboard/usage');
      const row = page.getByRole('row', { name: /Model not found 404 model_not_found .*2/ });
      await expect(row).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await row.getByRole('link', { name: 'A key' }).click();
      await expect(page.getByText('404 model_not_found').first()).toBeVisible();
      const section = page.getByRole('region', { name: 'Failed and rejected requests', exact: true }).first();
      await waitFor(async () => ((await section.boundingBox())?.y ?? Infinity) < 200);
    }, narrowWindow),
  );

  it.each(['light', 'dark'] as const)(
    'should underline the links between other text in the table of causes, because color alone is not enough (%s mode)',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      const { member } = await createFailingKey(1);
      await page.emulateMedia({ colorScheme });
      await visitor.visit(member, '/dashboard/usage');
      const link = page.getByRole('row', { name: /model_not_found/ }).getByRole('link', { name: 'A key' });
      await expect(link).toBeVisible();
      expect(await readStyle(link, 'textDecorationLine')).toBe('underline');
    }),
  );

  it(
    'should filter by a key whose requests were all rejected, without requesting the causes twice',
    dashboard.test(async (visitor) => {
      const { service } = dashboard;
      const { page } = visitor;
      const { member } = await createFailingKey(1);
      const { id, key } = await createApiKey(service, member, 'Blocked crawler');
      expect([await embed(service, key, 'unknown'), await embed(service, key, 'unknown')]).toEqual([404, 404]);
      await waitForFailures(member, id, 2);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await visitor.visit(member, '/dashboard/usage');
      const cause = (count: number) => page.getByRole('row', { name: new RegExp(`model_not_found .*\\s${count}$`) });
      await expect(cause(3)).toBeVisible();
      expect(requests.filter((path) => path.endsWith('/usage/failures'))).toHaveLength(1);
      await page.getByRole('combobox', { name: 'API keys' }).click();
      await page.getByRole('option', { name: 'Blocked crawler' }).click();
      await expect(cause(2)).toBeVisible();
      expect(filterInUrl(page.url(), 'apiKeyId')).toEqual([id]);
    }),
  );

  it.each([360, 390])(
    'should list causes without breaking words at %i pixels',
    dashboard.test(async (visitor, width: number) => {
      const { service } = dashboard;
      const { page } = visitor;
      const member = await createMember(service);
      const { id, key } = await createApiKey(service, member, 'Invoice importer');
      await setLimits(service, { keyId: id }, [{ metric: 'requests', per: 'month', max: 1 }]);
      expect([await embed(service, key), await embed(service, key)]).toEqual([200, 429]);
      await waitForFailures(member, id, 1);
      await page.setViewportSize({ width, height: 740 });
      await visitor.visit(member, '/dashboard/usage');
      const table = page.getByRole('table', { name: 'Failed and rejected requests by cause' });
      await expect(table.getByText(/insufficient_quota/)).toBeVisible();
      expect(await listBrokenWords(page, 'table[aria-label="Failed and rejected requests by cause"]')).toEqual([]);
      expect((await table.getByRole('row').nth(1).boundingBox())?.height).toBeLessThan(200);
      expect(await measureOverflow(page)).toBe(0);
    }),
  );
});
