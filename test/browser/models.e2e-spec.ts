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

describe('The models page', () => {
  it(
    'should show limits, prices and upstreams without accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service, { permissions: [] });
      await visitor.visit(member, '/dashboard/models');
      const bundled = page.getByRole('region', { name: 'universal-sentence-encoder-lite' });
      await expect(bundled.getByText('2,048 texts')).toBeVisible();
      await expect(bundled.getByText('English')).toBeVisible();
      await expect(bundled.getByText('Not used since the service started')).toBeVisible();
      await expect(bundled.getByRole('definition').getByText('512', { exact: true })).toBeVisible();
      await expect(page.getByRole('region', { name: 'tesseract' }).getByText('50 MB per document')).toBeVisible();
      const upstreams = page.getByRole('region', { name: 'text-embedding-3-small' });
      await expect(upstreams.getByText('$0.02 per million tokens')).toBeVisible();
      await expect(upstreams.getByRole('row', { name: /localhost:1.*Healthy.*50%/ })).toBeVisible();
      const generating = page.getByRole('region', { name: 'gpt-mini' });
      await expect(generating.getByText('Generation', { exact: true })).toBeVisible();
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
    'should show why an upstream failed, and fit a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member);
      expect(await embed(dashboard.service, key, 'small')).toBe(502);
      await visitor.visit(member, '/dashboard/models');
      await expect(page.getByText('could not be reached').first()).toBeVisible();
      await expect(page.getByText('Share 50%').first()).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );
});
