import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { KeyUsage } from '../usage/key-usage.js';

const service = useTestApp();
const hour = 3_600_000;
const dayBefore = -24 * hour;
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

async function readPreviousMonth() {
  const { body } = await call(service.url, 'GET /overview', { token: usage.member.token });
  const { timeZone, previousMonth } = body as OverviewDto;
  if (previousMonth === undefined) throw new Error('The overview has no previous month.');
  return { timeZone, ...previousMonth };
}

/** What `GET /usage` compares the current month with. */
async function readReport(): Promise<UsageReportDto> {
  const { timeZone, from, to } = await readPreviousMonth();
  return usage.report(new URLSearchParams({ interval: 'none', timeZone, compareFrom: from, compareTo: to }).toString());
}

/** Records a request at a time after `start`. */
async function recordAfter(start: string, milliseconds: number, cost: bigint) {
  const instant = new Date(Date.parse(start) + milliseconds).toISOString();
  // Another model each time, because the hours are the same when a month begins.
  await usage.recordAt(instant, usage.facts(1, { inputTokens: 7, cost, model: `model-of-${cost}` }));
}

describe.each([
  ['recent usage', () => Promise.resolve()],
  ['packed usage', () => runRetention(service)],
])('The previous month of an overview with %s', (_title, pack) => {
  it.each(['UTC', 'Europe/Berlin', 'America/St_Johns'])(
    'should be what GET /usage compares the month with, until the same minute, in %s',
    async (timeZone) => {
      await service.query('update organizations set time_zone = $2 where id = $1', [
        usage.member.organizationId,
        timeZone,
      ]);
      const { from, to } = await readPreviousMonth();
      await recordAfter(from, dayBefore, 100_000_000n);
      await recordAfter(from, 0, 20_000_000n);
      await recordAfter(to, -hour, 3_000_001n);
      await recordAfter(to, 0, 400_000_000n);
      await pack();
      const { totals, ...previous } = await readPreviousMonth();
      expect(totals).toMatchObject({ requests: 2, inputTokens: 14, cost: '0.023000001' });
      expect(previous).toEqual({ timeZone, from, to });
      const report = await readReport();
      expect([report.comparedFrom, report.comparedTo]).toEqual([from, to]);
      expect(report.groups[0]?.previousTotals).toMatchObject(totals);
    },
  );

  it('should say when usage and costs began, as GET /usage does', async () => {
    const { to } = await readPreviousMonth();
    await recordAfter(to, -hour, 20_000_000n);
    await pack();
    const { usageFrom, costFrom } = await readPreviousMonth();
    const { comparedUsageFrom, comparedCostFrom } = await readReport();
    expect([usageFrom, costFrom]).toEqual([comparedUsageFrom, comparedCostFrom]);
  });

  it('should have no costs and no start without usage', async () => {
    await pack();
    const { totals, usageFrom, costFrom } = await readPreviousMonth();
    expect(totals).toMatchObject({ requests: 0, cost: null });
    expect([usageFrom, costFrom]).toEqual([undefined, undefined]);
  });
});
