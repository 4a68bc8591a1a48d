import type { Admission } from '../../src/limits/admission.js';
import { noAmounts } from '../../src/limits/amounts.js';
import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';
import { holdClock, ModelReplica } from './model/model-replica.js';

const beforeMidnight = Date.UTC(2026, 0, 30, 23, 59, 50);
const service = useTestApp();
let setClock: (milliseconds: number) => Promise<void>;
let replica: ModelReplica;
let key: CreatedKey;

beforeAll(async () => {
  key = await createApiKey(service, await createMember(service));
  setClock = await holdClock(service);
  replica = new ModelReplica(service);
});
afterAll(() => replica.close());

async function limit(limits: Limit[], milliseconds: number): Promise<void> {
  await setClock(milliseconds);
  await setLimits(service, { keyId: key.id }, limits);
  await service.query(`update limit_counters set level_at = '-infinity'`);
}

/** Has a request counted; undefined if it's rejected. */
async function admit(): Promise<Admission | undefined> {
  const found = await replica.verifier.verify(key.key, { uses: 'tokens', address: null });
  return found?.admission?.isAdmitted === true ? found.admission : undefined;
}

const refund = (admission: Admission) => replica.settle(admission, noAmounts, true);

describe('A refund of a request that took long', () => {
  it('should not make room that was gone: 10 per second stay 10 per second', async () => {
    const start = Date.UTC(2026, 0, 30, 12);
    await limit([{ metric: 'requests', per: 'second', max: 10 }], start);
    const slow: Admission[] = [];
    for (let now = start; now < start + 12_000; now += 105) {
      await setClock(now);
      const admission = await admit();
      if (admission !== undefined) slow.push(admission);
    }
    expect(slow.length).toBeGreaterThan(100);
    let admitted = 0;
    for (let now = start + 14_000; now < start + 15_000; now += 5) {
      await setClock(now);
      const late = slow.shift();
      if (late !== undefined) await refund(late);
      if ((await admit()) !== undefined) admitted += 1;
    }
    // A full bucket, and what refills in a second.
    expect(admitted).toBeLessThanOrEqual(20);
  });

  it('should return everything at once', async () => {
    const start = Date.UTC(2026, 0, 30, 13);
    await limit([{ metric: 'requests', per: 'hour', max: 1 }], start);
    const admission = await admit();
    if (admission === undefined) throw new Error('The request was rejected.');
    expect(await admit()).toBeUndefined();
    await refund(admission);
    expect(await admit()).toBeDefined();
  });

  it('should give nothing to the next day', async () => {
    await limit(
      [
        { metric: 'requests', per: 'day', max: 10 },
        { metric: 'tokens', per: 'day', max: 100 },
      ],
      beforeMidnight,
    );
    const yesterday = await Promise.all(Array.from({ length: 8 }, admit));
    await setClock(beforeMidnight + 20_000);
    const today = await Promise.all(Array.from({ length: 5 }, admit));
    for (const admission of yesterday) if (admission !== undefined) await refund(admission);
    expect(await readCounters(service, key.id)).toMatchObject({ 'requests/day': [5, 0] });
    const later = await Promise.all(Array.from({ length: 10 }, admit));
    expect([...today, ...later].filter((admission) => admission !== undefined)).toHaveLength(10);
  });
});
