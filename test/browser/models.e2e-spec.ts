import type { Page } from 'playwright-core';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { createMember } from '../factories/organizations.js';
import { nowhere, upstreamModel } from '../setup/upstream.js';
import { createApiKey } from '../factories/api-keys.js';
import { embed } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const remote = upstreamModel([{ baseUrl: nowhere }, { baseUrl: 'http://localhost:1/v1' }], {
  id: 'text-embedding-3-small',
  aliases: ['small'],
  price: { perMillionTokens: { input: '0.02' } },
});
const generation = { task: 'generation', maxOutputTokens: 16_384 } as const;
const models = [
  ...defaultModels(),
  remote,
  upstreamModel([{ baseUrl: nowhere }], {
    ...generation,
    id: 'gpt-mini',
    routes: ['chat/completions', 'responses'],
    fallbacks: ['backup', 'long'],
    contextFallback: 'long',
  }),
  upstreamModel([{ baseUrl: nowhere }], { ...generation, id: 'backup', routes: ['messages'] }),
  upstreamModel([{ baseUrl: nowhere }], { ...generation, id: 'long' }),
];
const dashboard = openDashboard({ config: { models, services: ['search'] } });

const rowOf = (page: Page, name: RegExp) =>
  page.getByRole('table', { name: 'Models', exact: true }).getByRole('row', { name });

/** Opens the details of a model, and returns them. */
async function openDetails(page: Page, model: string) {
  await page.getByRole('button', { name: `Details of ${model}` }).click();
  return page.getByLabel(`Details of ${model}`).and(page.locator('dl'));
}

describe('The models page', () => {
  it(
    'should show states, prices, limits and upstreams without accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service, { permissions: [] });
      await visitor.visit(member, '/dashboard/models');
      await expect(rowOf(page, /universal-sentence-encoder-lite.*inside Keycard.*Idle.*Not set/)).toBeVisible();
      await expect(rowOf(page, /text-embedding-3-small.*2 upstreams.*\$0\.02 per million tokens/)).toBeVisible();
      await expect(rowOf(page, /localhost:1.*50\.0% of requests.*Idle/)).toBeVisible();
      await expect(rowOf(page, /gpt-mini.*Generation/)).toBeVisible();
      const bundled = await openDetails(page, 'universal-sentence-encoder-lite');
      await expect(bundled.getByText('2,048 texts')).toBeVisible();
      await expect(bundled.getByText('English')).toBeVisible();
      await expect(bundled.getByText('512', { exact: true })).toBeVisible();
      await expect((await openDetails(page, 'tesseract')).getByText('50 MB per document')).toBeVisible();
      const generating = await openDetails(page, 'gpt-mini');
      await expect(generating.getByText('/v1/chat/completions')).toBeVisible();
      await expect(generating.getByText('16,384 tokens')).toBeVisible();
      await expect(generating.getByText('backup, then long')).toBeVisible();
      const services = page.getByRole('region', { name: 'Services' });
      await expect(services.getByText('search')).toBeVisible();
      await expect(
        services.getByText("authorize stands for requests to /v1/authorize that don't name a service."),
      ).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should not call an upstream healthy whose latest requests failed, show why, and fit a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member);
      expect(await embed(dashboard.service, key, 'small')).toBe(502);
      await visitor.visit(member, '/dashboard/models');
      await expect(rowOf(page, /localhost:1.*Failing/)).toBeVisible();
      await expect(page.getByText('could not be reached').first()).toBeVisible();
      expect(await page.getByText('Healthy').count()).toBe(0);
      await expect(page.getByText('50.0% of requests').first()).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect(rowOf(page, /localhost:1.*Failing.*100\.0%.*could not be reached/)).toBeVisible();
    }, narrowWindow),
  );
});
