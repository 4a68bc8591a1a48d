import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import type { Admission } from '../../src/limits/admission.js';
import type { Demand } from '../../src/limits/amounts.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { usageWriterSettings, writeUsage } from '../../src/usage/write-usage.js';
import { DedicatedConnection } from '../../src/database/dedicated-connection.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp({ config: { limitWaitSeconds: 0 } });
let key: CreatedKey;
let reservations: ReservationsService;
let connection: DedicatedConnection;

beforeAll(() => {
  connection = new DedicatedConnection(service.database, {
    applicationName: 'reservations test',
    timeoutMilliseconds: 5000,
    maxAgeSeconds: 3600,
    setup: usageWriterSettings,
  });
});
afterAll(() => connection.close());

beforeEach(async () => {
  reservations = service.app.get(ReservationsService);
  key = await createApiKey(service, await createMember(service));
  await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'day', max: 100 }]);
});

/** Has a request counted. */
async function admit(): Promise<Admission> {
  const found = await service.app.get(ApiKeyVerifierService).verify(key.key, { uses: 'tokens', address: null });
  if (found?.admission?.isAdmitted !== true) throw new Error('The request was not admitted.');
  return found.admission;
}

const demandOf = (tokens: number): Demand => ({ model: 'some-model', tokens, pages: 0, cost: 0 });

/** Has a request counted, and reserves tokens for it. */
async function reserve(tokens: number): Promise<Admission> {
  const admission = await admit();
  await reservations.reserve(admission, demandOf(tokens), {});
  return admission;
}

async function settle(admission: Admission, used: number | null): Promise<void> {
  await settleAll([admission], used);
}

/** Settles requests that have used the same, in one statement, like the usage recorder. */
async function settleAll(admissions: Admission[], used: number | null): Promise<void> {
  const amounts = used === null ? null : { tokens: used, pages: 0, cost: 0 };
  for (const admission of admissions) await reservations.end(admission);
  const settled = admissions.map(
    ({ keyId, organizationId, states: limits, requestCounts: counted, reservations: reserved }) => {
      const reservations = reserved.map((reservation) => ({ reservation, used: amounts }));
      return { keyId, organizationId, limits, isRefunded: false, counted, reservations };
    },
  );
  await writeUsage(
    connection,
    settled.map((settlement) => {
      const { keyId: apiKeyId, organizationId } = settlement;
      return { organizationId, apiKeyId, model: '', outcome: 'unrecorded', milliseconds: 0, settlement };
    }),
  );
}

/** Makes reservations as old as if they had been made in an earlier generation. */
async function age(generations: number, ...admissions: Admission[]): Promise<void> {
  await service.query('update limit_counters set held_generation = held_generation - $2 where owner_id = $1', [
    key.id,
    generations,
  ]);
  const reserved = admissions.flatMap((admission) => admission.reservations);
  for (const count of reserved.flatMap(({ counts }) => counts)) count.generation -= generations;
}
const setTimeZone = (name: string) =>
  service.query(
    'update organizations set time_zone = $2 where id = (select organization_id from api_keys where id = $1)',
    [key.id, name],
  );
const tokens = async () => (await readCounters(service, key.id))['tokens/day'];

describe('What a request reserves', () => {
  it('should be exactly what it asks for, or nothing', async () => {
    await reserve(70);
    await expect(reserve(31)).rejects.toMatchObject({
      code: 'limit-reserved',
      message: expect.stringContaining(
        'has 0 tokens charged and 70 tokens reserved by running requests; the request has 31 tokens.',
      ) as unknown,
      headers: { 'retry-after': '1' },
    });
    await reserve(30);
    expect(await tokens()).toEqual([0, 100]);
  });

  it('should not make a budget look exhausted', async () => {
    const request = await reserve(95);
    await expect(reserve(10)).rejects.toMatchObject({ code: 'limit-reserved' });
    await settle(request, 95);
    const usage: { isLimited?: true } = {};
    const late = await admit();
    await expect(reservations.reserve(late, demandOf(10), usage)).rejects.toMatchObject({
      code: 'budget-exceeded',
      message: expect.stringContaining(
        'has 95 tokens charged and 0 tokens reserved; the request has 10 tokens.',
      ) as unknown,
    });
    expect(usage).toEqual({ isLimited: true });
  });

  it('should count until the end of the next generation, and then be charged, because it may have been used', async () => {
    const lost = await reserve(60);
    await reservations.running.remove(lost);
    await age(1);
    await expect(reserve(41)).rejects.toMatchObject({ code: 'limit-reserved' });
    await age(1);
    await expect(reserve(41)).rejects.toMatchObject({ code: 'budget-exceeded' });
    await reserve(40);
    expect(await tokens()).toEqual([60, 40]);
  });

  it('should not stay charged if the request still runs after its hold has expired', async () => {
    const stalled = await reserve(60);
    await age(2, stalled);
    await reserve(10);
    expect(await tokens()).toEqual([60, 10]);
    await reservations.running.renewAll();
    expect(await tokens()).toEqual([0, 70]);
    await age(2, stalled);
    await reserve(5);
    await settle(stalled, 20);
    expect((await tokens())?.[0]).toBe(30);
  });

  it('should be renewed while the request runs', async () => {
    const running = await reserve(100);
    for (let renewal = 0; renewal < 3; renewal++) {
      await age(1, running);
      await reservations.running.renewAll();
      expect(await tokens()).toEqual([0, 100]);
    }
    await settle(running, 40);
    expect(await tokens()).toEqual([40, 0]);
  });

  it('should be released as a whole, in whichever generation it is', async () => {
    const [first, second, third] = [await reserve(10), await reserve(20), await reserve(30)];
    await age(1, first, second, third);
    const fourth = await reserve(5);
    await settle(first, 1);
    await settle(fourth, 5);
    expect(await tokens()).toEqual([6, 50]);
    await reservations.running.renewAll();
    await settle(second, 2);
    await settle(third, null);
    expect(await tokens()).toEqual([38, 0]);
  });

  it('should release nothing of later requests after its hold has expired', async () => {
    const stalled = await reserve(10);
    await age(1, stalled);
    const second = await reserve(20);
    await age(1, stalled, second);
    await reserve(5);
    expect(await tokens()).toEqual([10, 25]);
    await settle(stalled, 3);
    expect(await tokens()).toEqual([3, 25]);
  });

  it('should end with the day of another time zone that the organization gets', async () => {
    const hour = new Date().getUTCHours();
    // It's neither the first hour of the day there nor the last one.
    await setTimeZone(hour >= 6 && hour < 18 ? 'UTC' : 'Etc/GMT+12');
    const request = await reserve(60);
    const minutes = 70;
    await service.query(
      `update limit_counters set level_at = level_at - $2 * interval '1 minute' where owner_id = $1`,
      [key.id, minutes],
    );
    for (const reservation of request.reservations) {
      Object.assign(reservation, { at: reservation.at - minutes * 60_000 });
    }
    // There, the day has begun within the last hour.
    await setTimeZone(hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`);
    await reserve(100);
    expect(await tokens()).toEqual([0, 100]);
    await settle(request, 60);
    expect(await tokens()).toEqual([0, 100]);
  });

  it('should end with the day, and charge nothing to the next one', async () => {
    const request = await reserve(60);
    await service.query(
      `update limit_counters set level = 30, level_at = level_at - interval '1 day' where owner_id = $1`,
      [key.id],
    );
    for (const reservation of request.reservations) {
      Object.assign(reservation, { at: reservation.at - 86_400_000 });
      for (const { limit } of reservation.counts) {
        Object.assign(limit, { resetsAt: (limit.resetsAt ?? 0) - 86_400_000 });
      }
    }
    const next = await reserve(100);
    await reservations.running.renewAll();
    expect(await tokens()).toEqual([0, 100]);
    await settle(request, 60);
    expect(await tokens()).toEqual([0, 100]);
    await settle(next, 100);
    expect(await tokens()).toEqual([100, 0]);
  });

  it('should be rejected for a reason even if costs are too large for exact numbers', async () => {
    const max = 1_000_000_000_000_000_000n;
    await setLimits(service, { keyId: key.id }, [{ metric: 'cost', per: 'month', max: String(max) }]);
    await service.query(`update limit_counters set charged = $2 where owner_id = $1 and metric = 'cost'`, [
      key.id,
      max - 5n,
    ]);
    const demand = { ...demandOf(0), cost: 6 };
    await expect(reservations.reserve(await admit(), demand, {})).rejects.toMatchObject({ code: 'budget-exceeded' });
    await expect(reservations.reserve(await admit(), { ...demand, cost: 5 }, {})).resolves.toBeDefined();
  });

  it('should be charged to a budget that was added in the meantime, in whichever order requests end', async () => {
    const [early, lost] = [await reserve(10), await reserve(10)];
    await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'week', max: 100 }]);
    const late = await reserve(10);
    await settleAll([late, early], 7);
    await settle(lost, null);
    expect(await readCounters(service, key.id)).toEqual({ 'tokens/day': [17, 0], 'tokens/week': [24, 0] });
  });

  it('should count a request once in a limit of several models, and fit there when another of them is tried', async () => {
    await setLimits(service, { keyId: key.id }, [
      { metric: 'requests', per: 'day', max: 1, models: ['first', 'second'] },
      { metric: 'tokens', per: 'day', max: 100 },
    ]);
    const admission = await admit();
    await reservations.reserve(admission, { ...demandOf(5), model: 'first' }, {});
    const more = await reservations.reserveMore(admission, { ...demandOf(5), model: 'second' });
    expect(more).toMatchObject({ fits: true });
    expect(Object.values(await readCounters(service, key.id))).toContainEqual([1, 0]);
    await expect(reservations.reserve(await admit(), { ...demandOf(5), model: 'second' }, {})).rejects.toMatchObject({
      code: 'budget-exceeded',
    });
  });

  it('should be released if the request has ended when it is granted', async () => {
    const admission = await admit();
    const reserving = reservations.reserve(admission, demandOf(50), {});
    admission.end();
    await expect(reserving).rejects.toMatchObject({ name: 'AbortError' });
    await reserve(100);
    expect(reservations.running.count).toBeGreaterThan(0);
  });
});
