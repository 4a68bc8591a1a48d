import { pricedModels } from '../factories/models.js';
import { daysAgo, runRetention } from '../retention/retained-usage.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage } from './key-usage.js';

const service = useTestApp({
  config: {
    models: pricedModels(
      { perMillionTokens: { input: '0.0003' }, perRequest: '0.000000001' },
      { perThousandPages: '0.1' },
    ),
  },
});
const tiny = { model: 'universal-sentence-encoder-lite', inputTokens: 1 };
const largest = '9223372036854775807';

let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

const costsIn = async (period: string) => {
  const { groups } = await usage.report(`${period}&interval=none`);
  return groups.map(({ totals }) => totals.cost);
};

/** Sets the cost of all recorded usage of the organization. */
const setCost = (cost: string) =>
  service.query('update usage set cost = $2 where organization_id = $1', [usage.member.organizationId, cost]);

describe('The cost in usage reports', () => {
  it('should be the exact sum of costs that are each rounded up once, without an exponent', async () => {
    // Each request costs 0.0000000013.
    await usage.recordAt('2026-01-30T10:00:00Z', usage.facts(3, tiny));
    expect(await costsIn(january)).toEqual(['0.000000006']);
    await usage.recordAt('2026-01-30T11:00:00Z', usage.facts(3, { model: 'tesseract', pages: 1 }));
    expect(await costsIn(january)).toEqual(['0.000300006']);
  });

  it('should be exact beyond the whole numbers of JavaScript', async () => {
    await usage.recordAt('2026-01-30T10:00:00Z', [usage.fact(tiny)]);
    await setCost('9007199254740993');
    await usage.recordAt('2026-01-30T11:00:00Z', usage.facts(3, tiny));
    expect(await costsIn(january)).toEqual(['9007199.254740999']);
  });

  it.each([
    ['report', false, '18446744073.709551614'],
    ['packing', true, '9223372036.854775807'],
  ])('should not make the %s fail if hours are as expensive as can be', async (_what, isPacked, expected) => {
    const day = daysAgo(100);
    for (const hour of [12, 13]) await usage.recordAt(`${day}T${hour}:00:00Z`, [usage.fact(tiny)]);
    await setCost(largest);
    if (isPacked) await runRetention(service);
    expect(await costsIn(`from=${day}T00:00:00Z&to=${daysAgo(98)}T00:00:00Z`)).toEqual([expected]);
  });

  it('should stay the highest possible if an hour gets more requests', async () => {
    await usage.record([usage.fact(tiny)]);
    await setCost(largest);
    await usage.record([usage.fact(tiny)]);
    const { groups } = await usage.report('interval=none');
    expect(groups.map(({ totals }) => totals.cost)).toEqual(['9223372036.854775807']);
  });
});
