import pg from 'pg';
import type { BudgetPeriod } from '../../src/common/rules/limit-rules.js';
import { loadFragment } from '../../src/database/sql-file.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const { text: periods } = loadFragment('limits/budget-periods.sql', {});

/** The start and end of a period at a time. */
async function periodAt(per: BudgetPeriod, time: string, timeZone: string): Promise<string> {
  const { rows } = await client.query<{ start: Date; end: Date }>(
    `with clock as (select $2::timestamptz as time, $3::text as time_zone), ${periods}
     select period_start as start, period_end as end from budget_period where per = $1`,
    [per, time, timeZone],
  );
  return [rows[0]?.start, rows[0]?.end].map((instant) => instant?.toISOString().replace(':00.000', '')).join(' ');
}

describe('The period of a budget', () => {
  it.each<[BudgetPeriod, string, string, string]>([
    ['day', '2026-11-28T23:59:59.999Z', 'UTC', '2026-11-28T00:00Z 2026-11-29T00:00Z'],
    ['week', '2026-11-29T12:00Z', 'UTC', '2026-11-23T00:00Z 2026-11-30T00:00Z'],
    ['week', '2026-11-30T00:00Z', 'UTC', '2026-11-30T00:00Z 2026-12-07T00:00Z'],
    ['month', '2028-02-29T12:00Z', 'UTC', '2028-02-01T00:00Z 2028-03-01T00:00Z'],
    ['month', '2026-12-31T23:30Z', 'Europe/Berlin', '2026-12-31T23:00Z 2027-01-31T23:00Z'],
    ['day', '2026-11-28T12:00Z', 'Asia/Kolkata', '2026-11-27T18:30Z 2026-11-28T18:30Z'],
    ['day', '2026-11-28T12:00Z', 'Pacific/Kiritimati', '2026-11-28T10:00Z 2026-11-29T10:00Z'],
    ['day', '2026-11-28T12:00Z', 'Asia/Kathmandu', '2026-11-27T18:15Z 2026-11-28T18:15Z'],
  ])('per %s at %s in %s should be %s', async (per, time, timeZone, expected) => {
    expect(await periodAt(per, time, timeZone)).toBe(expected);
  });

  it.each<[BudgetPeriod, string, string, string]>([
    ['day', '2026-03-29T12:00Z', 'Europe/Berlin', '2026-03-28T23:00Z 2026-03-29T22:00Z'],
    ['day', '2026-10-25T12:00Z', 'Europe/Berlin', '2026-10-24T22:00Z 2026-10-25T23:00Z'],
    ['month', '2026-03-15T12:00Z', 'America/New_York', '2026-03-01T05:00Z 2026-04-01T04:00Z'],
    // Midnight doesn't exist: the day begins at 1:00.
    ['day', '2026-04-24T12:00Z', 'Africa/Cairo', '2026-04-23T22:00Z 2026-04-24T21:00Z'],
    ['day', '2026-04-23T12:00Z', 'Africa/Cairo', '2026-04-22T22:00Z 2026-04-23T22:00Z'],
    // Midnight occurs twice: the day begins with the first.
    ['day', '2026-10-24T23:30Z', 'Atlantic/Azores', '2026-10-24T00:00Z 2026-10-25T00:00Z'],
    ['day', '2026-10-25T00:30Z', 'Atlantic/Azores', '2026-10-25T00:00Z 2026-10-26T01:00Z'],
    ['day', '2026-10-25T01:30Z', 'Atlantic/Azores', '2026-10-25T00:00Z 2026-10-26T01:00Z'],
    ['day', '2026-11-01T04:30Z', 'America/Havana', '2026-11-01T04:00Z 2026-11-02T05:00Z'],
    ['month', '2026-11-01T04:30Z', 'America/Havana', '2026-11-01T04:00Z 2026-12-01T05:00Z'],
    ['month', '2026-10-31T12:00Z', 'America/Havana', '2026-10-01T04:00Z 2026-11-01T04:00Z'],
  ])('per %s at %s in %s, where clocks change, should be %s', async (per, time, timeZone, expected) => {
    expect(await periodAt(per, time, timeZone)).toBe(expected);
  });

  it('should contain every instant in every time zone, and end where the next one starts', async () => {
    const { rows } = await client.query(
      `select name, time, per, period_start, period_end
       from pg_timezone_names
       cross join generate_series('2026-01-01Z'::timestamptz, '2026-12-31Z', interval '6 hours 17 minutes') as time
       cross join lateral (
         with clock as (select time, name as time_zone), ${periods}
         select current.per, current.period_start, current.period_end, next.period_start as next_start
         from budget_period as current cross join lateral (
           with clock as (select current.period_end as time, name as time_zone), ${periods}
           select period_start from budget_period where per = current.per
         ) as next
       ) as period
       where name = any ($1) and (time < period_start or time >= period_end or next_start <> period_end)`,
      [
        [
          'UTC',
          'Europe/Berlin',
          'Africa/Cairo',
          'Atlantic/Azores',
          'America/Havana',
          'America/Santiago',
          'Asia/Beirut',
          'Australia/Lord_Howe',
          'Pacific/Chatham',
          'Asia/Kathmandu',
        ],
      ],
    );
    expect(rows).toEqual([]);
  });
});
