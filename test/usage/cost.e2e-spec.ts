import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const january = 'from=2026-01-30T00:00:00Z&to=2026-02-01T00:00:00Z';

describe('The cost of usage', () => {
  const [embeddings, ocr] = defaultModels();
  const priced = useTestApp({
    config: {
      models: [
        { ...embeddings, price: { perMillionTokens: 2 } },
        { ...ocr, price: { perThousandPages: 10 } },
      ] as ModelDefinition[],
      currency: 'EUR',
    },
  });

  it('should be the sum over models at their prices, per group and interval', async () => {
    const owner = await createMember(priced);
    const { id: apiKeyId } = await createApiKey(priced, owner);
    const { organizationId } = owner;
    await recordUsageAt(priced, '2026-01-30T10:00:00Z', [
      { organizationId, apiKeyId, model: 'universal-sentence-encoder-lite', inputTokens: 500_000 },
      { organizationId, apiKeyId, model: 'tesseract', pages: 50 },
      { organizationId, apiKeyId, model: 'a-model-without-a-price', inputTokens: 1000 },
    ]);
    const read = async (query: string) =>
      (await call(priced.url, `GET /usage?${january}&${query}`, { token: owner.token })).body as UsageReportDto;
    const { currency, groups } = await read('groupBy=apiKey');
    expect(currency).toBe('EUR');
    expect(groups).toMatchObject([{ totals: { cost: 1.5 }, points: [{ cost: 1.5 }, { cost: 0 }] }]);
    const { groups: byModel, others } = await read('groupBy=model&interval=none&limit=2');
    expect(byModel.map(({ totals }) => totals.cost).concat(others?.totals.cost ?? null)).toEqual([0, 0.5, 1]);
  });
});
