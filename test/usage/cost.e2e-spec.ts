import type { UsageReportDto, UsageTotalsDto } from '../../src/usage/dto/usage-report.dto.js';
import { createApiKey } from '../factories/api-keys.js';
import { pricedModels } from '../factories/models.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsageAt, type SomeFact } from '../factories/usage.js';
import { daysAgo, runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';

const january = 'from=2026-01-30T00:00:00Z&to=2026-02-01T00:00:00Z';
const models = ['universal-sentence-encoder-lite', 'tesseract'] as const;
const unpriced = 'a-model-without-a-price';

const pricedAt = (...prices: Parameters<typeof pricedModels>) => ({
  config: { models: pricedModels(...prices), currency: 'EUR' },
});

const costOf = ({ cost, unpricedRequests }: UsageTotalsDto) => [cost, unpricedRequests];

describe('The cost of usage', () => {
  const service = useTestApp(pricedAt({ perMillionTokens: { input: '2' } }, { perThousandPages: '10' }));
  const startApp = useAppStarter();

  let owner: Member;
  let apiKeyId: string;

  beforeEach(async () => {
    owner = await createMember(service);
    apiKeyId = (await createApiKey(service, owner)).id;
  });

  const recordIn = (app: TestApp, instant: string, ...facts: Partial<SomeFact>[]) => {
    const { organizationId } = owner;
    return recordUsageAt(
      app,
      instant,
      facts.map((fact) => ({ organizationId, apiKeyId, ...fact })),
    );
  };
  const record = (instant: string, ...facts: Partial<SomeFact>[]) => recordIn(service, instant, ...facts);
  const get = (route: string, { token } = owner) => call(service.url, `GET ${route}`, { token });
  const read = async (query: string, period = january, member = owner) =>
    (await get(`/usage?${period}&${query}`, member)).body as UsageReportDto;
  const totalsIn = async (period = january) =>
    (await read('interval=none', period)).groups.map(({ totals }) => costOf(totals));

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
        totals: { cost: '1.5', unpricedRequests: 1 },
        points: [
          { cost: '1.5', unpricedRequests: 1 },
          { cost: null, unpricedRequests: 0 },
        ],
      },
    ]);
    const { groups: byModel, others } = await read('groupBy=model&interval=none&limit=2');
    const costs = byModel.map(({ totals }) => totals.cost);
    expect(costs.concat(others?.totals.cost ?? null)).toEqual([null, '0.5', '1']);
  });

  it.each([
    ['by hour', false],
    ['packed', true],
  ])(
    'should be null, not zero, without a priced request, and count what it leaves out (%s)',
    async (_how, isPacked) => {
      const [from, to] = [100, 98].map((days) => `${daysAgo(days)}T00:00:00Z`);
      const period = `from=${from}&to=${to}`;
      const noon = `${daysAgo(100)}T12:00:00Z`;
      await record(noon, { model: unpriced, inputTokens: 1000 }, { model: unpriced, inputTokens: 1000 });
      await record(noon, { model: models[1], pages: 50 });
      const { id: otherKey } = await createApiKey(service, owner);
      await record(noon, { apiKeyId: otherKey, model: unpriced });
      if (isPacked) await runRetention(service);

      const { groups: byModel } = await read('groupBy=model', period);
      expect(byModel.map(({ model }) => model)).toEqual([unpriced, models[1]]);
      expect(byModel.map(({ totals, points }) => [totals, ...points].map(costOf))).toEqual([
        [
          [null, 3],
          [null, 3],
          [null, 0],
        ],
        [
          ['0.5', 0],
          ['0.5', 0],
          [null, 0],
        ],
      ]);
      const { groups, others } = await read('groupBy=apiKey&interval=none&limit=1', period);
      expect(groups.map(({ totals }) => costOf(totals))).toEqual([['0.5', 2]]);
      expect(others && costOf(others.totals)).toEqual([null, 1]);
      expect(await totalsIn(period)).toEqual([['0.5', 3]]);
    },
  );

  it.each([
    ['new', { perMillionTokens: { input: '7' } }],
    ['no', undefined],
  ])('should stay the same after a restart with %s prices, which only apply to later requests', async (_how, price) => {
    await record('2026-01-30T10:00:00Z', { model: models[0], inputTokens: 1000 });
    const later = await startApp({ ...pricedAt(price, undefined), database: service.database });
    await recordIn(later, '2026-01-31T10:00:00Z', { model: models[0], inputTokens: 1000 });
    const expected = price === undefined ? ['0.002', 1] : ['0.009', 0];
    for (const { url } of [service, later]) {
      const { body } = await call(url, `GET /usage?${january}&interval=none`, { token: owner.token });
      expect((body as UsageReportDto).groups.map(({ totals }) => costOf(totals))).toEqual([expected]);
    }
  });

  it('should count requests from before costs were recorded as unpriced', async () => {
    await record('2026-01-30T10:00:00Z', { model: models[0], inputTokens: 1000 }, { model: models[0] });
    await service.query('update usage set cost = null, priced_requests = null where organization_id = $1', [
      owner.organizationId,
    ]);
    expect(await totalsIn()).toEqual([[null, 2]]);
    await record('2026-01-30T11:00:00Z', { model: models[0], inputTokens: 1000 });
    expect(await totalsIn()).toEqual([['0.002', 2]]);
  });

  it('should be that of the own organization only', async () => {
    const stranger = await createMember(service);
    await record('2026-01-30T10:00:00Z', { model: models[0], inputTokens: 1000 });
    expect((await read('interval=none', january, stranger)).groups.map(({ totals }) => costOf(totals))).toEqual([
      [null, 0],
    ]);
    const foreign = (await get(`/usage?${january}&apiKeyId=${apiKeyId}&interval=none`, stranger))
      .body as UsageReportDto;
    expect(foreign.groups.map(({ totals }) => totals.cost)).toEqual([null]);
  });

  it('should be an empty cell in the CSV file without a priced request', async () => {
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

  it('should be null without usage and for requests rejected by a limit, and zero for free requests', async () => {
    expect(await totalsIn()).toEqual([[null, 0]]);
    await record('2026-01-30T10:00:00Z', { model: models[0], inputTokens: 1000, outcome: 'limited' });
    expect(await totalsIn()).toEqual([[null, 0]]);
    await record('2026-01-30T10:00:00Z', { model: models[0] });
    expect(await totalsIn()).toEqual([['0', 0]]);
  });
});
