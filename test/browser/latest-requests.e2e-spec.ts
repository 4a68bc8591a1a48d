import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { embed } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
const model = 'universal-sentence-encoder-lite';

/** Creates a key with 11 successful requests and a failed one, and waits until they are logged. */
async function createUsedKey(): Promise<{ member: Member; id: string }> {
  const { service } = dashboard;
  const member = await createMember(service);
  const { id, key } = await createApiKey(service, member);
  for (let count = 0; count < 11; count++) expect(await embed(service, key, model)).toBe(200);
  expect(await embed(service, key, 'unknown')).toBe(404);
  await waitFor(async () => {
    const { body } = await call(service.url, `GET /api-keys/${id}/requests`, { token: member.token });
    return (body as { total: number }).total === 12;
  });
  return { member, id };
}

describe('The page of a key', () => {
  it(
    'should list its latest requests by outcome and page, without accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, id } = await createUsedKey();
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const section = page.getByRole('region', { name: 'Latest requests', exact: true }).first();
      await expect(section.getByText('1–10 of 12')).toBeVisible();
      await expect(section.getByText(model, { exact: true }).first()).toBeVisible();
      await expect(section.getByText('200', { exact: true }).first()).toBeVisible();
      await section.getByRole('button', { name: 'Page 2' }).click();
      await expect(section.getByText('11–12 of 12')).toBeVisible();
      await section.getByLabel('Outcome').selectOption('failure');
      await expect(section.getByText('1–1 of 1')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await section.getByRole('link', { name: '404, see failed requests' }).click();
      const failures = page.getByRole('region', { name: 'Failed and rejected requests', exact: true }).first();
      await expect(failures.getByText('404 model_not_found')).toBeVisible();
      expect(new URL(page.url()).hash).toBe('#failed-requests');
    }),
  );

  it(
    'should find a request by its ID, pasted with spaces, and say why one may be missing',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, id } = await createUsedKey();
      const { body } = await call(dashboard.service.url, `GET /api-keys/${id}/requests?page=2`, {
        token: member.token,
      });
      const [{ requestId }] = (body as { requests: [{ requestId: string }] }).requests;
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const section = page.getByRole('region', { name: 'Latest requests', exact: true }).first();
      const field = section.getByRole('searchbox', { name: 'Request ID' });
      await field.fill(`  ${requestId} `);
      await expect(section.getByText('1–1 of 1')).toBeVisible();
      await expect(section.getByText(requestId).filter({ visible: true })).toBeVisible();
      expect(await field.inputValue()).toBe(requestId);
      await section.getByLabel('Outcome').selectOption('failure');
      await expect(section.getByText('No request with this ID and outcome is kept.')).toBeVisible();
      await section.getByLabel('Outcome').selectOption('All outcomes');
      await field.fill(`${requestId}0`);
      await expect(section.getByText('No request with this ID is kept.')).toBeVisible();
      await expect(section.getByText('It may be older, not part of the sample')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await section.getByRole('button', { name: 'Clear search' }).click();
      await expect(section.getByText('1–10 of 12')).toBeVisible();
    }),
  );

  it(
    'should show requests with all they have in a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { member, id } = await createUsedKey();
      await visitor.visit(member, `/dashboard/keys/${id}`);
      const section = page.getByRole('region', { name: 'Latest requests', exact: true }).first();
      await expect(section.getByText('127.0.0.1').filter({ visible: true }).first()).toBeVisible();
      await expect(
        section
          .getByText(/^\d+ tokens in$/)
          .filter({ visible: true })
          .first(),
      ).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});
