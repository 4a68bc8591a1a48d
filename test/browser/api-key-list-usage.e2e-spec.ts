import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { createApiKey } from '../factories/api-keys.js';
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
