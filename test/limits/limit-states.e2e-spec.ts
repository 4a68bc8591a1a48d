import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { LimitStateDto } from '../../src/limits/dto/limit.dto.js';
import { type BudgetPeriod, budgetPeriods } from '../../src/common/rules/limit-rules.js';
import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
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
const limitKey = (...limits: Limit[]) => manage(`PATCH /api-keys/${apiKey.id}`, { limits });
const limitOrganization = (...limits: Limit[]) => manage('PATCH /organizations/current', { limits });
const statesOf = async (route: string) => ((await manage(route)).body as ApiKeyDetailsDto).limits;
const keyStates = () => statesOf(`GET /api-keys/${apiKey.id}`);
const organizationStates = () => statesOf('GET /organizations/current');

/** Sets columns of a counter of the key, as SQL. */
const setCounter = (assignments: string) =>
  service.query(`update limit_counters set ${assignments} where owner_id = $1`, [apiKey.id]);
/** Returns the key's counters with all columns, by metric and period. */
const counters = () =>
  service.query('select * from limit_counters where owner_id = $1 order by metric, per', [apiKey.id]);

const perHour: Limit = { metric: 'requests', per: 'hour', max: 36 };
const hourMilliseconds = 3_600_000;

describe('A new limit per second, minute or hour', () => {
  it('should start unused and be full now', async () => {
    const before = Date.now() - 1000;
    await limitKey({ metric: 'requests', per: 'second', max: 5 }, { metric: 'pages', per: 'minute', max: 7 }, perHour);
    const states = await keyStates();
    expect(states.map(({ used, remaining }) => [used, remaining])).toEqual(states.map(({ max }) => [0, max]));
    for (const { resetsAt } of states) {
      expect(Date.parse(resetsAt ?? '')).toBeGreaterThan(before);
      expect(Date.parse(resetsAt ?? '')).toBeLessThan(Date.now() + 1000);
    }
  });
});

describe('A new limit per day, week or month', () => {
  /** A row of usage, with another value for each metric. */
  interface Recorded {
    organizationId: string;
    apiKeyId: string;
    hour: Date;
    requests: number;
  }
  const budgets: Limit[] = (['requests', 'tokens', 'pages'] as const).flatMap((metric) =>
    budgetPeriods.map((per) => ({ metric, per, max: 1000 })),
  );
  let now: Date;
  let startOf: Record<BudgetPeriod, Date>;
  let startOfNext: Record<BudgetPeriod, Date>;
  let rows: Recorded[];

  beforeEach(async () => {
    now = new Date();
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
    const monday = day - ((now.getUTCDay() + 6) % 7);
    const utc = (...date: [month: number, day?: number]) => new Date(Date.UTC(year, ...date));
    startOf = { day: utc(month, day), week: utc(month, monday), month: utc(month) };
    startOfNext = { day: utc(month, day + 1), week: utc(month, monday + 7), month: utc(month + 1) };
    const other = await createApiKey(service, member);
    const stranger = await createMember(service);
    const foreign = await createApiKey(service, stranger);
    const hours = Object.values(startOf).flatMap((start) => [start, new Date(start.getTime() - hourMilliseconds)]);
    rows = hours.flatMap((hour, index) => [
      { organizationId: member.organizationId, apiKeyId: apiKey.id, hour, requests: 1 + index },
      { organizationId: member.organizationId, apiKeyId: other.id, hour, requests: 10 + index },
      { organizationId: stranger.organizationId, apiKeyId: foreign.id, hour, requests: 100 + index },
    ]);
    for (const [index, { organizationId, apiKeyId, hour, requests }] of rows.entries()) {
      await service.query(
        `insert into usage (
           organization_id, hour, api_key_id, model, latency_bucket, requests, failures, input_tokens, pages, microseconds
         ) values ($1, $2, $3, 'some-model', $4, $5::int, 0, $5::int * 2, $5::int * 3, 0)`,
        [organizationId, hour, apiKeyId, index, requests],
      );
    }
  });

  const expectedStates = (isCounted: (row: Recorded) => boolean) =>
    budgets.map(({ metric, per, max }) => {
      const counted = rows.filter((row) => isCounted(row) && row.hour >= startOf[per as BudgetPeriod]);
      const factor = { requests: 1, tokens: 2, pages: 3 }[metric as 'requests'];
      const used = counted.reduce((sum, { requests }) => sum + requests * factor, 0);
      const resetsAt = startOfNext[per as BudgetPeriod].toISOString();
      const state = { metric, per, max, used, reserved: 0, estimated: 0, remaining: Number(max) - used, resetsAt };
      return { ...state, isIncreased: false };
    });

  it("should include the key's recorded usage since the start of the UTC day, week or month", async () => {
    expect((await limitKey(...budgets)).status).toBe(200);
    expect(await keyStates()).toEqual(expectedStates(({ apiKeyId }) => apiKeyId === apiKey.id));
  });

  it('should include the recorded usage of all keys of the organization', async () => {
    expect((await limitOrganization(...budgets)).status).toBe(200);
    const { organizationId } = member;
    expect(await organizationStates()).toEqual(expectedStates((row) => row.organizationId === organizationId));
  });

  it('should have nothing left if more was used than it allows', async () => {
    await limitOrganization({ metric: 'pages', per: 'day', max: 1 });
    const [state] = await organizationStates();
    expect(state?.used).toBeGreaterThan(1);
    expect(state?.remaining).toBe(0);
  });

  it('should start at zero for a new key', async () => {
    const { headers } = await manage('POST /api-keys', { name: 'New', limits: budgets });
    const states = await statesOf(`GET ${headers.get('location') ?? ''}`);
    expect(states.map(({ used }) => used)).toEqual(budgets.map(() => 0));
  });
});

/** The 15 seconds in which running requests hold something; it is renewed in each. */
async function readGeneration(): Promise<number> {
  const [row] = await service.query<{ generation: number }>(
    'select floor(extract(epoch from clock_timestamp()) / 15)::integer as generation',
  );
  return row?.generation ?? 0;
}

/** Checks something while the generation doesn't change. */
async function inOneGeneration(check: (generation: number) => Promise<void>): Promise<void> {
  for (;;) {
    const generation = await readGeneration();
    try {
      return await check(generation);
    } catch (error) {
      if ((await readGeneration()) === generation) throw error;
    }
  }
}

describe('The state of a limit', () => {
  it('should be refilled evenly, in whole units', async () => {
    await limitKey(perHour);
    // 36 per hour are one in 100 seconds.
    await setCounter(`level = 30, level_at = clock_timestamp() - interval '1000.5 seconds'`);
    const [counter] = (await counters()) as { level_at: Date }[];
    const [state] = await keyStates();
    expect(state).toMatchObject({ used: 20, remaining: 16 });
    const resetsAt = (counter?.level_at.getTime() ?? 0) + 3_000_000;
    expect(Math.abs(Date.parse(state?.resetsAt ?? '') - resetsAt)).toBeLessThan(5);
  });

  it('should be full once everything is refilled', async () => {
    await limitKey(perHour);
    await setCounter(`level = 30, level_at = clock_timestamp() - interval '3000 seconds'`);
    expect(await keyStates()).toMatchObject([{ used: 0, remaining: 36 }]);
  });

  it.each(budgetPeriods)('should start at zero with each UTC %s', async (per) => {
    await limitKey({ metric: 'tokens', per, max: 100 });
    const start = `date_trunc('${per}', clock_timestamp(), 'UTC')`;
    await setCounter(`level = 30, level_at = ${start}`);
    expect(await keyStates()).toMatchObject([{ used: 30, remaining: 70 }]);
    await setCounter(`level = 30, level_at = ${start} - interval '1 millisecond'`);
    expect(await keyStates()).toMatchObject([{ used: 0, remaining: 100 }]);
  });

  it('should include reservations until they have expired', async () => {
    await inOneGeneration(async (generation) => {
      await limitKey({ metric: 'pages', per: 'day', max: 100 });
      await setCounter(`level = 30, held = 5, held_before = 7, held_generation = ${generation}`);
      expect(await keyStates()).toMatchObject([{ used: 42, reserved: 12, estimated: 0, remaining: 58 }]);
      await setCounter(`held_generation = ${generation} - 1`);
      expect(await keyStates()).toMatchObject([{ used: 42, reserved: 5, estimated: 7, remaining: 58 }]);
      await setCounter(`held_generation = ${generation} - 3`);
      expect(await keyStates()).toMatchObject([{ used: 42, reserved: 0, estimated: 12, remaining: 58 }]);
      const start = `date_trunc('day', clock_timestamp(), 'UTC')`;
      await setCounter(`level_at = ${start} - interval '1 millisecond'`);
      expect(await keyStates()).toMatchObject([{ used: 0, reserved: 0, estimated: 0, remaining: 100 }]);
    });
  });

  it('should be the number of running requests for concurrency, without those of a replica that was killed', async () => {
    await inOneGeneration(async (generation) => {
      await limitKey({ metric: 'concurrency', max: 5 });
      const state = { metric: 'concurrency', max: 5, reserved: 0, estimated: 0, resetsAt: null, isIncreased: false };
      expect(await keyStates()).toEqual([{ ...state, used: 0, remaining: 5 }]);
      await setCounter(`held = 3, held_before = 1, held_generation = ${generation}, level_at = '2020-01-01Z'`);
      expect(await keyStates()).toEqual([{ ...state, used: 4, remaining: 1 }]);
      await setCounter(`held_generation = ${generation} - 1`);
      expect(await keyStates()).toEqual([{ ...state, used: 3, remaining: 2 }]);
      await setCounter(`held_generation = ${generation} - 3`);
      expect(await keyStates()).toEqual([{ ...state, used: 0, remaining: 5 }]);
    });
  });

  it('should be exact for costs, up to a billion', async () => {
    await inOneGeneration(async (generation) => {
      await limitKey({ metric: 'cost', per: 'month', max: '1000000000' });
      const state = { metric: 'cost', per: 'month', max: '1000000000', isIncreased: false };
      await setCounter(
        `charged = 9007199254740993, level = 9007199254740992, held = 2, held_generation = ${generation}`,
      );
      expect(await keyStates()).toMatchObject([
        {
          ...state,
          used: '9007199.254740995',
          reserved: '0.000000002',
          estimated: '0',
          remaining: '990992800.745259005',
        },
      ]);
      await setCounter(`charged = 999999999999999999, level = 1e18, estimated = 1, held = 0`);
      expect(await keyStates()).toMatchObject([
        { ...state, used: '999999999.999999999', estimated: '0.000000001', remaining: '0.000000001' },
      ]);
      await setCounter(`charged = 1000000000000000001, level = 1e18`);
      expect(await keyStates()).toMatchObject([{ ...state, used: '1000000000.000000001', remaining: '0' }]);
    });
  });

  it('should count an increase until it ends', async () => {
    const limit = { metric: 'cost', per: 'day', max: '5.00' };
    const setIncrease = (until: string) => limitKey({ ...limit, increase: { by: '2.5', until } } as Limit);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await setIncrease(later);
    const increase = { by: '2.5', until: later };
    expect(await keyStates()).toMatchObject([{ max: '5', increase, isIncreased: true, remaining: '7.5' }]);
    const past = '2020-01-01T00:00:00.000Z';
    await setIncrease(past);
    expect(await keyStates()).toMatchObject([
      { max: '5', increase: { by: '2.5', until: past }, isIncreased: false, remaining: '5' },
    ]);
  });

  it('should be readable if it refills for longer than a date can express', async () => {
    await limitKey({ ...perHour, max: 1 });
    await setCounter(`level = 1e12, level_at = clock_timestamp()`);
    expect(await keyStates()).toEqual<LimitStateDto[]>([
      {
        ...({ metric: 'requests', per: 'hour', max: 1, isIncreased: false } as const),
        ...{ used: 1e12, reserved: 0, estimated: 0, remaining: 0, resetsAt: '9999-12-31T23:59:59.999Z' },
      },
    ]);
  });
});

describe('Changing limits', () => {
  const perDay: Limit = { metric: 'requests', per: 'day', max: 10 };

  it('should keep what is used of limits that stay, also with another maximum', async () => {
    await limitKey(perHour, perDay);
    await setCounter('level = 5, reserved = 3');
    const before = await counters();
    await limitKey({ ...perHour, max: 72 }, perDay);
    expect(await counters()).toEqual(before);
    await limitKey({ metric: 'pages', per: 'hour', max: 1 }, { ...perHour, max: 72 }, perDay);
    expect(await counters()).toEqual([expect.objectContaining({ metric: 'pages', level: 0 }), ...before]);
  });

  it('should not reset a budget that was removed and is added again in the same period', async () => {
    await inOneGeneration(async (generation) => {
      await limitKey(perDay);
      await setCounter(`level = 5, estimated = 1, held = 3, held_before = 1, held_generation = ${generation}`);
      await limitKey();
      await limitKey({ ...perDay, max: 20 });
      expect(await keyStates()).toMatchObject([{ used: 9, reserved: 4, estimated: 1, remaining: 11 }]);
    });
  });

  it('should start a budget at what was recorded if it was added before, in an earlier period', async () => {
    await inOneGeneration(async (generation) => {
      await limitKey(perDay);
      await setCounter(
        `level = 5, held = 3, held_generation = ${generation}, level_at = clock_timestamp() - interval '25 hours'`,
      );
      await limitKey();
      await limitKey(perDay);
      expect(await keyStates()).toMatchObject([{ used: 0, reserved: 0, remaining: 10 }]);
      expect(await counters()).toMatchObject([{ level: 0, held: '0' }]);
    });
  });

  it('should keep counting running requests when a limit of concurrency is removed and added again', async () => {
    await inOneGeneration(async (generation) => {
      await limitKey({ metric: 'concurrency', max: 5 });
      await setCounter(`held = 3, held_generation = ${generation}, level_at = clock_timestamp() - interval '25 hours'`);
      await limitKey();
      await limitKey({ metric: 'concurrency', max: 4 });
      expect(await keyStates()).toMatchObject([{ used: 3, remaining: 1 }]);
    });
  });

  it('should reset a limit per hour that was removed and is added again', async () => {
    await limitKey(perHour);
    await setCounter(`level = 5, reserved = 3, reserved_before = 2, held = 3, held_before = 2`);
    await limitKey();
    await limitKey(perHour);
    expect(await keyStates()).toMatchObject([{ used: 0, remaining: 36 }]);
    expect(await counters()).toMatchObject([
      { level: 0, reserved: '0', reserved_before: '0', held: '0', held_before: '0' },
    ]);
  });
});
