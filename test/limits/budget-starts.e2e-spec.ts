import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import { fromInteger } from '../../src/common/money/decimal.js';
import { type BudgetPeriod, budgetPeriods } from '../../src/common/rules/limit-rules.js';
import { loadFragment } from '../../src/database/sql-file.js';
import type { LimitDto } from '../../src/limits/dto/limit.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const manage = (route: string, body?: unknown) => call(service.url, route, { token: member.token, body });
const statesOf = async (route: string) => ((await manage(route)).body as ApiKeyDetailsDto).limits;

const owners = {
  key: {
    limit: (...limits: LimitDto[]) => manage(`PATCH /api-keys/${apiKey.id}`, { limits }),
    states: () => statesOf(`GET /api-keys/${apiKey.id}`),
  },
  organization: {
    limit: (...limits: LimitDto[]) => manage('PATCH /organizations/current', { limits }),
    states: () => statesOf('GET /organizations/current'),
  },
};

const hour = 3_600_000;
const { text: periods } = loadFragment('limits/budget-periods.sql', {});

/** When the organization's current periods began. */
async function readStarts(): Promise<Record<BudgetPeriod, Date>> {
  const rows = await service.query<{ per: BudgetPeriod; start: Date }>(
    `with clock as (select clock_timestamp() as time, time_zone from organizations where id = $1), ${periods}
     select per, period_start as start from budget_period`,
    [member.organizationId],
  );
  return Object.fromEntries(rows.map(({ per, start }) => [per, start])) as Record<BudgetPeriod, Date>;
}

interface Recorded {
  at: Date;
  requests: number;
  model?: string;
  keyId?: string;
  cost?: string;
}

/** Records requests in the UTC hour of a time. */
const record = ({ at, requests, model = 'small', keyId = apiKey.id, cost }: Recorded) =>
  service.query(
    `insert into usage (
       organization_id, hour, api_key_id, model, latency_bucket, requests, failures, microseconds,
       input_tokens, output_tokens, pages, priced_requests, cost
     ) values ($1, date_trunc('hour', $2::timestamptz, 'UTC'), $3, $4, 0, $5::int, 0, 0, $5::int, $5::int, $5::int, $5::int, $6)
     on conflict (organization_id, hour, api_key_id, model, latency_bucket) do update set
       requests = usage.requests + excluded.requests, cost = usage.cost + excluded.cost`,
    [member.organizationId, at, keyId, model, requests, cost ?? String(requests)],
  );

/** Zones whose days begin at a UTC hour, half an hour later, and a day earlier or later. */
const timeZones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

describe.each(timeZones)('A new budget in the time zone %s', (timeZone) => {
  const budgets: LimitDto[] = budgetPeriods.map((per) => ({ metric: 'requests', per, max: 1_000_000 }));

  beforeEach(() => manage('PATCH /organizations/current', { timeZone }));

  it.each([false, true])(
    'should include what was used since its period began, packed or not (%s)',
    async (isPacked) => {
      const starts = await readStarts();
      // Hours before, at and after each start. Powers of two show which ones count.
      const hours = Object.values(starts)
        .flatMap((start) => [-25, -1, 0, 1, 25].map((offset) => Math.floor(start.getTime() / hour + offset) * hour))
        .filter((start) => start <= Date.now());
      const recorded = [...new Set(hours)].map((start, index) => ({ start, requests: 2 ** index }));
      for (const { start, requests } of recorded) await record({ at: new Date(start), requests });
      if (isPacked) await runRetention(service);
      const expected = budgetPeriods.map((per) =>
        recorded
          // The hour in which the period began counts completely.
          .filter(({ start }) => start + hour > starts[per].getTime())
          .reduce((sum, { requests }) => sum + requests, 0),
      );
      for (const owner of Object.values(owners)) {
        expect((await owner.limit(...budgets)).status).toBe(200);
        const states = await owner.states();
        expect(states.map(({ used }) => used)).toEqual(expected);
        for (const { per, resetsAt } of states) {
          expect(Date.parse(resetsAt ?? '')).toBeGreaterThan(starts[per as BudgetPeriod].getTime());
        }
      }
    },
  );

  it('should count a UTC day completely if its hours are gone', async () => {
    const { month } = await readStarts();
    const day = Math.floor(month.getTime() / (24 * hour)) * 24 * hour;
    await record({ at: new Date(day), requests: 1 });
    await record({ at: new Date(day + 23 * hour), requests: 2 });
    await record({ at: new Date(day - hour), requests: 4 });
    await runRetention(service);
    await service.query('delete from usage_by_hour');
    await owners.key.limit({ metric: 'requests', per: 'month', max: 100 });
    expect(await owners.key.states()).toMatchObject([{ used: 3 }]);
  });
});

describe('A new budget', () => {
  it('should include the usage of its models only, under each metric', async () => {
    const at = (await readStarts()).day;
    await record({ at, requests: 1, model: 'small' });
    await record({ at, requests: 2, model: 'large "1"' });
    await record({ at, requests: 4, model: '' });
    const models = ['large "1"', 'unused'];
    const common = { per: 'day', models } as const;
    const limits: LimitDto[] = [
      { metric: 'requests', max: 100, ...common },
      { metric: 'tokens', max: 100, ...common },
      { metric: 'pages', max: 100, ...common },
      { metric: 'cost', max: '1', ...common },
      { metric: 'cost', per: 'day', max: '1' },
    ];
    for (const owner of Object.values(owners)) {
      expect((await owner.limit(...limits)).status).toBe(200);
      expect((await owner.states()).map(({ used }) => used)).toEqual([2, 4, 2, '0.000000007', '0.000000002']);
    }
    expect(
      await service.query('select metric, per from limit_counters where owner_id = $1 order by 1', [apiKey.id]),
    ).toContainEqual({
      metric: 'cost["large \\"1\\"", "unused"]',
      per: 'day',
    });
  });

  it('should include exact costs, packed or not', async () => {
    const at = (await readStarts()).month;
    await record({ at, requests: 1, cost: '9007199254740993' });
    await record({ at: new Date(), requests: 1, cost: '2' });
    const limit = { metric: 'cost', per: 'month', max: '1000000000' } as const;
    for (const isPacked of [false, true]) {
      if (isPacked) await runRetention(service);
      await owners.key.limit(limit);
      expect(await owners.key.states()).toMatchObject([{ used: fromInteger(9007199254740995n, 9) }]);
      await owners.key.limit();
      await service.query('delete from limit_counters');
    }
  });

  it('should keep what it has charged if that is more than usage recorded, and take what was recorded otherwise', async () => {
    const limit = { metric: 'cost', per: 'month', max: '5' } as const;
    await record({ at: new Date(), requests: 1, cost: '300' });
    for (const [charged, used] of [
      [200, '0.0000003'],
      [400, '0.0000004'],
    ] as const) {
      await owners.key.limit(limit);
      await service.query('update limit_counters set charged = $2, level = $2::bigint where owner_id = $1', [
        apiKey.id,
        charged,
      ]);
      await owners.key.limit();
      await owners.key.limit(limit);
      expect(await owners.key.states()).toMatchObject([{ used }]);
    }
  });
});

describe('A change of the time zone', () => {
  it('should keep what was charged, and start the next period in the new time zone', async () => {
    await owners.key.limit({ metric: 'tokens', per: 'month', max: 100 }, { metric: 'cost', per: 'day', max: '1' });
    await service.query(
      'update limit_counters set level = 5, charged = 5, level_at = clock_timestamp() where owner_id = $1',
      [apiKey.id],
    );
    for (const timeZone of timeZones) {
      await manage('PATCH /organizations/current', { timeZone });
      const states = await owners.key.states();
      expect(states.map(({ used }) => used)).toEqual([5, '0.000000005']);
      const local = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', hour: 'numeric', minute: 'numeric' });
      const parts = states.map(({ resetsAt }) => local.format(new Date(resetsAt ?? '')));
      expect(parts).toEqual([expect.stringMatching(/^1(st)?,? (at )?00:00/), expect.stringMatching(/00:00$/)]);
    }
  });

  it('should start a budget at zero if its period has begun since the last charge', async () => {
    await owners.key.limit({ metric: 'tokens', per: 'day', max: 100 });
    await manage('PATCH /organizations/current', { timeZone: 'Asia/Kolkata' });
    const { day } = await readStarts();
    const charge = (at: Date) =>
      service.query('update limit_counters set level = 5, level_at = $2 where owner_id = $1', [apiKey.id, at]);
    await charge(day);
    expect(await owners.key.states()).toMatchObject([{ used: 5 }]);
    await charge(new Date(day.getTime() - 1));
    expect(await owners.key.states()).toMatchObject([{ used: 0 }]);
  });
});
