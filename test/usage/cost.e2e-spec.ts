import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import type { UsageReportDto, UsageTotalsDto } from '../../src/usage/dto/usage-report.dto.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsageAt, type SomeFact } from '../factories/usage.js';
import { daysAgo, runRetention } from '../retention/retained-usage.js';
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

  const models = ['universal-sentence-encoder-lite', 'tesseract'] as const;
  const unpriced = 'a-model-without-a-price';
  let owner: Member;
  let apiKeyId: string;

  beforeEach(async () => {
    owner = await createMember(priced);
    apiKeyId = (await createApiKey(priced, owner)).id;
  });

  const record = (instant: string, ...facts: Partial<SomeFact>[]) => {
    const { organizationId } = owner;
    return recordUsageAt(
      priced,
      instant,
      facts.map((fact) => ({ organizationId, apiKeyId, ...fact })),
    );
  };
  const get = (route: string) => call(priced.url, `GET ${route}`, { token: owner.token });
  const read = async (query: string, period = january) =>
    (await get(`/usage?${period}&${query}`)).body as UsageReportDto;
  const costOf = ({ cost, unpricedRequests }: UsageTotalsDto) => [cost, unpricedRequests];

  it('should be the sum over models at their prices, per group and interval', async () => {
    await record(
      '2026-01-30T10:00:00Z',
      { model: models[0], inputTokens: 500_000 },
      { model: models[1], pages: 50 },
      { model: unpriced, inputTokens: 1000 },
    );
    const { currency, groups } = await read('groupBy=apiKey');
    expect(currency).toBe('EUR');
    expect(groups).toMatchObject([
      {
        totals: { cost: 1.5, unpricedRequests: 1 },
        points: [
          { cost: 1.5, unpricedRequests: 1 },
          { cost: 0, unpricedRequests: 0 },
        ],
      },
    ]);
    const { groups: byModel, others } = await read('groupBy=model&interval=none&limit=2');
    expect(byModel.map(({ totals }) => totals.cost).concat(others?.totals.cost ?? null)).toEqual([null, 0.5, 1]);
  });

  it.each([
    ['by hour', false],
    ['packed', true],
  ])(
    'should be null, not zero, for models without a price, and count what it leaves out (%s)',
    async (_how, isPacked) => {
      const [from, to] = [100, 98].map((days) => `${daysAgo(days)}T00:00:00Z`);
      const period = `from=${from}&to=${to}`;
      const noon = `${daysAgo(100)}T12:00:00Z`;
      await record(noon, { model: unpriced, inputTokens: 1000 }, { model: unpriced, inputTokens: 1000 });
      await record(noon, { model: models[1], pages: 50 });
      const { id: otherKey } = await createApiKey(priced, owner);
      await record(noon, { apiKeyId: otherKey, model: unpriced });
      if (isPacked) await runRetention(priced);

      const { groups: byModel } = await read('groupBy=model', period);
      expect(byModel.map(({ model }) => model)).toEqual([unpriced, models[1]]);
      expect(byModel.map(({ totals, points }) => [totals, ...points].map(costOf))).toEqual([
        [
          [null, 3],
          [null, 3],
          [null, 0],
        ],
        [
          [0.5, 0],
          [0.5, 0],
          [0, 0],
        ],
      ]);
      const { groups, others } = await read('groupBy=apiKey&interval=none&limit=1', period);
      expect(groups.map(({ totals }) => costOf(totals))).toEqual([[0.5, 2]]);
      expect(others && costOf(others.totals)).toEqual([null, 1]);
      const { groups: all } = await read('interval=none', period);
      expect(all.map(({ totals }) => costOf(totals))).toEqual([[0.5, 3]]);
    },
  );

  it('should be an empty cell in the CSV file for models without a price', async () => {
    await record('2026-01-30T10:00:00Z', { model: unpriced, inputTokens: 1000 });
    await record('2026-01-30T10:00:00Z', { model: models[1], pages: 5 }, { model: models[1], pages: 5 });
    const { text } = await get(`/usage/export?${january}&groupBy=model&interval=none`);
    const [header = '', ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const columns = ['"model"', '"cost"', '"unpricedRequests"'].map((name) => header.indexOf(name));
    expect(rows.map((row) => columns.map((column) => row[column]))).toEqual([
      [`"${models[1]}"`, '"0.1"', '"0"'],
      [`"${unpriced}"`, '""', '"1"'],
    ]);
  });

  it('should be zero without usage, and for requests rejected by a limit before their model was known', async () => {
    expect((await read('interval=none')).groups.map(({ totals }) => costOf(totals))).toEqual([[0, 0]]);
    await record('2026-01-30T10:00:00Z', { model: '', outcome: 'limited' });
    expect((await read('interval=none')).groups.map(({ totals }) => costOf(totals))).toEqual([[0, 0]]);
  });
});
