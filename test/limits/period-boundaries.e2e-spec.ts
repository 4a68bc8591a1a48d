import fc from 'fast-check';
import type { Amounts } from '../../src/limits/amounts.js';
import { budgetPeriods } from '../../src/common/rules/limit-rules.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';
import { holdClock, ModelReplica } from './model/model-replica.js';
import { periodStart } from './model/period-start.js';

/** Clocks are set back at 1:00 in Havana, at midnight in Santiago, and by half an hour on Lord Howe Island. */
const zones = [
  ...['UTC', 'America/Havana', 'America/Santiago', 'Europe/Zurich', 'America/New_York', 'Asia/Kathmandu'],
  ...['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati', 'Africa/Cairo', 'Asia/Beirut', 'Atlantic/Azores'],
];

const service = useTestApp();
let setClock: (milliseconds: number) => Promise<void>;
let replica: ModelReplica;
let member: Member;
let key: CreatedKey;

beforeAll(async () => {
  setClock = await holdClock(service);
  replica = new ModelReplica(service);
});
afterAll(() => replica.close());
beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

/** Has a request of this cost served, if the limits leave as much. */
async function spend(cost: number): Promise<boolean> {
  const admission = await replica.arrive(key.key);
  if (admission === undefined) throw new Error('The key has no limits.');
  const used: Amounts = { tokens: 0, pages: 0, cost };
  if (!admission.isAdmitted) return false;
  const reserved = replica.reservations.reserve(admission, { model: 'small', ...used }, {});
  const isServed = await reserved.then(
    () => true,
    () => false,
  );
  await replica.settle(admission, isServed ? used : { ...used, cost: 0 }, !isServed);
  return isServed;
}

describe('The functions period_start and period_end', () => {
  it('should agree with a calendar in every time zone, also when clocks change', async () => {
    const years = { min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) };
    const quarter = 900_000;
    const someTimes = fc.array(
      fc.integer({ min: years.min / quarter, max: years.max / quarter }).map((number) => number * quarter),
      { minLength: 50, maxLength: 50 },
    );
    // Every hour of the days around changes of clocks.
    const changes = zones.flatMap((timeZone) => changesOf(timeZone, years)).flatMap(hoursAround);
    const compare = async (times: readonly { at: number; timeZone: string }[]) => {
      const rows = await service.query<{ starts: number[]; ends: number[] }>(
        `select array_agg(extract(epoch from period_start(per, instant, time_zone))::float8 * 1000 order by number, per) as starts,
           array_agg(period_end(per, instant, time_zone) order by number, per) as ends
         from rows from (jsonb_to_recordset($1) as (at double precision, "timeZone" text))
           with ordinality as one (at, "timeZone", number)
         cross join lateral (select to_timestamp(at / 1000) as instant, "timeZone" as time_zone) as typed
         cross join unnest(array['day', 'month', 'week']) as per`,
        [JSON.stringify(times)],
      );
      const periods = budgetPeriods.toSorted();
      const expected = times.flatMap(({ at, timeZone }) => periods.map((per) => periodStart(at, per, timeZone)));
      expect(rows[0]?.starts).toEqual(expected);
      // A period ends where the next one starts.
      const ends = rows[0]?.ends ?? [];
      const next = times.flatMap(({ timeZone }, index) =>
        periods.map((per, place) => periodStart(ends[index * 3 + place] ?? 0, per, timeZone)),
      );
      expect(ends).toEqual(next);
      for (const [index, end] of ends.entries()) {
        const { at, timeZone } = times[Math.floor(index / 3)] ?? { at: 0, timeZone: 'UTC' };
        expect(periodStart(end - 1, periods[index % 3] ?? 'day', timeZone)).toBe(expected[index]);
        expect(end).toBeGreaterThan(at);
      }
    };
    await compare(changes);
    const property = fc.asyncProperty(someTimes, fc.constantFrom(...zones), async (times, timeZone) => {
      await compare(times.map((at) => ({ at, timeZone })));
    });
    await fc.assert(property, { numRuns: 12, endOnFailure: true });
  });
});

describe('A budget in money', () => {
  it.each([
    ['day', 'UTC', ['2026-11-28T00:00Z', '2026-11-28T23:59Z'], '2026-11-29T00:00Z'],
    ['week', 'UTC', ['2026-11-23T00:00Z', '2026-11-29T23:59Z'], '2026-11-30T00:00Z'],
    ['month', 'UTC', ['2026-02-01T00:00Z', '2026-02-28T23:59Z'], '2026-03-01T00:00Z'],
    ['week', 'Asia/Kathmandu', ['2026-11-22T18:15Z', '2026-11-29T18:14Z'], '2026-11-29T18:15Z'],
    ['month', 'Pacific/Auckland', ['2026-08-31T12:00Z', '2026-09-30T10:59Z'], '2026-09-30T11:00Z'],
    // A day of 23 hours, and one of 25.
    ['day', 'Europe/Zurich', ['2026-03-28T23:00Z', '2026-03-29T21:59Z'], '2026-03-29T22:00Z'],
    ['day', 'Europe/Zurich', ['2026-10-24T22:00Z', '2026-10-25T22:59Z'], '2026-10-25T23:00Z'],
    // Midnight doesn't occur, and occurs twice.
    ['day', 'America/Havana', ['2026-03-08T05:00Z', '2026-03-09T03:59Z'], '2026-03-09T04:00Z'],
    ['day', 'America/Havana', ['2026-11-01T04:00Z', '2026-11-01T04:30Z', '2026-11-01T05:00Z'], '2026-11-02T05:00Z'],
  ] as const)('should last for the %s in %s from %j until %s', async (per, timeZone, times, end) => {
    await service.query('update organizations set time_zone = $2 where id = $1', [member.organizationId, timeZone]);
    const at = (time: string) => setClock(Date.parse(time.replace('Z', ':00Z')));
    const [start] = times;
    await setClock(Date.parse(start.replace('Z', ':00Z')) - 1);
    await setLimits(service, { keyId: key.id }, [{ metric: 'cost', per, max: '100' }]);
    await service.query(`update limit_counters set level_at = '-infinity' where owner_id = $1`, [key.id]);
    expect(await spend(100)).toBe(true);
    const part = Math.floor(100 / times.length);
    for (const time of times) {
      await at(time);
      expect(await spend(part)).toBe(true);
    }
    expect(await spend(part)).toBe(false);
    await at(end);
    expect(await spend(100)).toBe(true);
  });
});

/** The times at which clocks change. */
function changesOf(timeZone: string, { min, max }: { min: number; max: number }): { at: number; timeZone: string }[] {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (at: number) => format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  const days = Array.from({ length: (max - min) / 86_400_000 }, (_, day) => min + day * 86_400_000);
  return days.filter((at) => offsetAt(at) !== offsetAt(at + 86_400_000)).map((at) => ({ at, timeZone }));
}

function hoursAround({ at, timeZone }: { at: number; timeZone: string }): { at: number; timeZone: string }[] {
  return Array.from({ length: 48 }, (_, hour) => ({ at: at + (hour - 6) * 3_600_000 + 600_000, timeZone }));
}
