import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { Limit } from '../../src/limits/limit.js';
import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage, type SomeFact } from '../factories/usage.js';
import { rowOf } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const models = defaultModels().map((model) => ({ ...model, price: { perMillionTokens: { input: '2' } } }));
const dashboard = openDashboard({ config: { models, currency: 'EUR' } });
const model = 'universal-sentence-encoder-lite';
let member: Member;

beforeEach(async () => {
  member = await createMember(dashboard.service);
});

/** Creates a key and records requests of it. */
async function createUsedKey(name: string, facts: Partial<SomeFact>[]): Promise<void> {
  const { service } = dashboard;
  const { id: apiKeyId } = await createApiKey(service, member, name);
  const { organizationId } = member;
  await recordUsage(
    service,
    facts.map((fact) => ({ organizationId, apiKeyId, model, ...fact })),
  );
}

/** Limits a key, and charges an amount in billionths. */
async function limit(name: string, settings: Limit, charged: number): Promise<void> {
  const { service } = dashboard;
  const [key] = await service.query<{ id: string }>(
    'select id from api_keys where organization_id = $1 and name = $2',
    [member.organizationId, name],
  );
  if (key === undefined) throw new Error(`There is no key ${name}.`);
  await setLimits(service, { keyId: key.id }, [settings]);
  await service.query('update limit_counters set charged = $2, level = $2::bigint where owner_id = $1', [
    key.id,
    charged,
  ]);
}

/** Lists the paths that the page requests from now on. */
function watchRequests({ page }: Visitor): string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

describe('The list of API keys', () => {
  it.each([1440, 390])(
    'should show how many requests of a key failed in the last 7 days, and what they cost, at %i pixels',
    dashboard.test(async (visitor, width: number) => {
      const { page } = visitor;
      await createUsedKey('Search indexer', [{ inputTokens: 617_283_945 }, {}, {}, {}, { outcome: 'failure' }]);
      await createUsedKey('Mail classifier', [{ inputTokens: 62 }]);
      await createUsedKey('Importer', [{ model: 'local-model', inputTokens: 1000 }]);
      await page.setViewportSize({ width, height: 740 });
      const paths = watchRequests(visitor);
      await visitor.visit(member, '/dashboard/keys');
      const shown = (name: string, text: string | RegExp) =>
        rowOf(page, name).getByText(text, { exact: true }).filter({ visible: true });
      await expect(shown('Search indexer', '€1,234.57')).toBeVisible();
      await expect(shown('Search indexer', '20.0% failed')).toBeVisible();
      await expect(shown('Mail classifier', '<€0.01')).toBeVisible();
      expect(await shown('Mail classifier', /failed/).count()).toBe(0);
      expect(await shown('Importer', /€/).count()).toBe(0);
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(paths.filter((path) => path === '/models' || path === '/usage')).toEqual([]);
    }),
  );

  it(
    'should show tags, usage and what is used of each limit in money in rows of 40 pixels, in a window of 1440',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const names = ['Unused', 'Customer support assistant', 'Increased', 'Daily'];
      await createApiKey(service, member, 'Unlimited');
      for (const name of names) await createUsedKey(name, name === 'Unused' ? [] : [{ inputTokens: 1_950_000 }]);
      await page.setViewportSize({ width: 1440, height: 900 });
      await visitor.visit(member, '/dashboard/keys');
      await rowOf(page, 'Daily').waitFor();
      await service.query(`update api_keys set tags = '{env:production,team:support}' where organization_id = $1`, [
        member.organizationId,
      ]);
      const max = 45_500_000_000;
      const until = '2999-01-01T00:00:00Z';
      await limit('Unused', { metric: 'cost', per: 'month', max }, 0);
      await limit('Customer support assistant', { metric: 'cost', per: 'month', max }, 12_300_000_000);
      await limit('Increased', { metric: 'cost', per: 'month', max, increase: { by: 20_000_000_000, until } }, 1);
      await limit('Daily', { metric: 'cost', per: 'day', max }, 12_300_000_000);
      await page.reload();
      const shown = (name: string, text: string) => rowOf(page, name).getByText(text);
      await expect(shown('Unused', '€0.00 of €45.50/month')).toBeVisible();
      await expect(shown('Customer support assistant', '€12.30 of €45.50/month')).toBeVisible();
      await expect(shown('Increased', '<€0.01 of €65.50/month, increased')).toBeVisible();
      await expect(shown('Daily', '€12.30 of €45.50/day')).toBeVisible();
      expect(await rowOf(page, 'Unlimited').getByText(' of ').count()).toBe(0);
      const boxes = await Promise.all(names.map((name) => rowOf(page, name).boundingBox()));
      // With the line between rows.
      expect(boxes.map((box) => box?.height)).toEqual(names.map(() => 41));
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should show neither usage nor costs without the permission to see usage',
    dashboard.test(async (visitor) => {
      await createUsedKey('Search indexer', [{ inputTokens: 500_000 }]);
      const { organizationId } = member;
      const reader = await createMember(dashboard.service, { organizationId, permissions: ['get-api-keys'] });
      await visitor.visit(reader, '/dashboard/keys');
      await expect(rowOf(visitor.page, 'Search indexer')).toBeVisible();
      expect(await rowOf(visitor.page, 'Search indexer').innerText()).not.toMatch(/€|request/);
    }),
  );
});
