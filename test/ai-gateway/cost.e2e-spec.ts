import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { MetricsService } from '../../src/metrics/metrics.service.js';
import { call } from '../setup/call.js';
import { respondWithEmbeddings, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';

let upstream: Upstream;
const service = useTestApp(async () => {
  upstream = await startUpstream();
  const { baseUrl } = upstream;
  const price = { perMillionTokens: { input: '0.0001' } };
  const models = [
    upstreamModel([{ baseUrl }], { id: 'priced', aliases: ['cheap'], price }),
    upstreamModel([{ baseUrl }], { id: 'unpriced' }),
  ];
  return { config: { models, services: ['search'], metrics: { host: '127.0.0.1', port: 0 } } };
});
afterAll(() => upstream.stop());

describe('The cost of requests', () => {
  it('should be that of the served model, also by its alias, and missing for services', async () => {
    upstream.respond = respondWithEmbeddings();
    const member = await createMember(service);
    const { key: token } = await createApiKey(service, member);
    for (const model of ['priced', 'cheap', 'unpriced']) {
      const { status } = await call(service.url, 'POST /v1/embeddings', { token, body: { model, input: 'a' } });
      expect(status).toBe(200);
    }
    expect((await call(service.url, 'GET /v1/authorize', { token })).status).toBeLessThan(300);
    const { body } = await call(service.url, 'GET /usage?groupBy=model&interval=none', { token: member.token });
    const costs = (body as UsageReportDto).groups.map(({ model, totals }) => [model, totals.cost, totals.inputTokens]);
    const [, , tokens = 0] = costs.find(([model]) => model === 'priced') ?? [];
    expect(tokens).toBeGreaterThan(0);
    // Each request is rounded up to a billionth.
    expect(Object.fromEntries(costs.map(([model, cost]) => [model, cost]))).toEqual({
      priced: '0.000000002',
      unpriced: null,
      authorize: null,
    });
    const metrics = await (await fetch(service.app.get(MetricsService).url ?? '')).text();
    expect(metrics.match(/^keycard_cost_total.*$/gm)).toEqual(['keycard_cost_total{model="priced"} 2e-9']);
  });
});
