import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key.dto.js';
import type { LimitStateDto } from '../../src/limits/dto/limit.dto.js';
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
    expect(states.map(({ used, max, remaining }) => [used, remaining - max])).toEqual(states.map(() => [0, 0]));
    for (const { resetsAt } of states) {
      expect(Date.parse(resetsAt)).toBeGreaterThan(before);
      expect(Date.parse(resetsAt)).toBeLessThan(Date.now() + 1000);
    }
  });
});

describe('A new limit per day or month', () => {
  /** A row of usage, with another value for each metric. */
  interface Recorded {
    organizationId: string;
    apiKeyId: string;
    hour: Date;
    requests: number;
  }
  const budgets: Limit[] = (['requests', 'tokens', 'pages'] as const).flatMap((metric) =>
    (['day', 'month'] as const).map((per) => ({ metric, per, max: 1000 })),
  );
  let now: Date;
  let startOf: { day: Date; month: Date };
  let startOfNext: { day: Date; month: Date };
  let rows: Recorded[];

  beforeEach(async () => {
    now = new Date();
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
    startOf = { day: new Date(Date.UTC(year, month, day)), month: new Date(Date.UTC(year, month)) };
    startOfNext = { day: new Date(Date.UTC(year, month, day + 1)), month: new Date(Date.UTC(year, month + 1)) };
    const other = await createApiKey(service, member);
    const stranger = await createMember(service);
    const foreign = await createApiKey(service, stranger);
    const hours = [startOf.day, startOf.month].flatMap((start) => [
      start,
      new Date(start.getTime() - hourMilliseconds),
    ]);
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
      const counted = rows.filter((row) => isCounted(row) && row.hour >= startOf[per as 'day' | 'month']);
      const factor = { requests: 1, tokens: 2, pages: 3 }[metric];
      const used = counted.reduce((sum, { requests }) => sum + requests * factor, 0);
      const resetsAt = startOfNext[per as 'day' | 'month'].toISOString();
      return { metric, per, max, used, reserved: 0, estimated: 0, remaining: max - used, resetsAt };
    });

  it("should include the key's recorded usage since the start of the UTC day or month", async () => {
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

  it.each(['day', 'month'] as const)('should start at zero with each UTC %s', async (per) => {
    await limitKey({ metric: 'tokens', per, max: 100 });
    const start = `date_trunc('${per}', clock_timestamp(), 'UTC')`;
    await setCounter(`level = 30, level_at = ${start}`);
    expect(await keyStates()).toMatchObject([{ used: 30, remaining: 70 }]);
    await setCounter(`level = 30, level_at = ${start} - interval '1 millisecond'`);
    expect(await keyStates()).toMatchObject([{ used: 0, remaining: 100 }]);
  });

  it('should include reservations until they have expired', async () => {
    await limitKey({ metric: 'pages', per: 'day', max: 100 });
    // A second ahead, so that the test can't miss the change of the generation.
    const generation = `limit_generation(clock_timestamp() + interval '1 second')`;
    await setCounter(`level = 30, reserved = 5, reserved_before = 7, generation = ${generation}`);
    expect(await keyStates()).toMatchObject([{ used: 42, reserved: 12, remaining: 58 }]);
    await setCounter(`generation = ${generation} - 1`);
    expect(await keyStates()).toMatchObject([{ used: 35, remaining: 65 }]);
    await setCounter(`generation = ${generation} - 3`);
    expect(await keyStates()).toMatchObject([{ used: 30, remaining: 70 }]);
  });

  it('should be readable if it refills for longer than a date can express', async () => {
    await limitKey({ ...perHour, max: 1 });
    await setCounter(`level = 1e12, level_at = clock_timestamp()`);
    expect(await keyStates()).toEqual<LimitStateDto[]>([
      { ...perHour, max: 1, used: 1e12, reserved: 0, estimated: 0, remaining: 0, resetsAt: '9999-12-31T23:59:59.999Z' },
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
    await limitKey(perDay);
    await setCounter(
      `level = 5, estimated = 1, reserved = 3, reserved_before = 1, generation = limit_generation(clock_timestamp())`,
    );
    await limitKey();
    await limitKey({ ...perDay, max: 20 });
    expect(await keyStates()).toMatchObject([{ used: 9, reserved: 4, estimated: 1, remaining: 11 }]);
  });

  it('should start a budget at what was recorded if it was added before, in an earlier period', async () => {
    await limitKey(perDay);
    await setCounter(`level = 5, reserved = 3, level_at = clock_timestamp() - interval '25 hours'`);
    await limitKey();
    await limitKey(perDay);
    expect(await keyStates()).toMatchObject([{ used: 0, reserved: 0, remaining: 10 }]);
  });

  it('should reset a limit per hour that was removed and is added again', async () => {
    await limitKey(perHour);
    await setCounter(`level = 5, reserved = 3, reserved_before = 2, generation = limit_generation(clock_timestamp())`);
    await limitKey();
    await limitKey(perHour);
    expect(await keyStates()).toMatchObject([{ used: 0, remaining: 36 }]);
    expect(await counters()).toMatchObject([{ level: 0, reserved: '0', reserved_before: '0' }]);
  });
});
