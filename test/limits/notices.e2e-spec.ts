import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { ModelReplica } from './model/model-replica.js';

const service = useTestApp();
let replicas: ModelReplica[];
let key: CreatedKey;

beforeAll(() => {
  replicas = [1, 2, 3].map(() => new ModelReplica(service));
});
afterAll(() => Promise.all(replicas.map((replica) => replica.close())));
beforeEach(async () => {
  key = await createApiKey(service, await createMember(service));
});

const limit = (limits: Limit[]) => setLimits(service, { keyId: key.id }, limits);

/** Runs requests that use ten tokens, or as many billionths, on three replicas at once. */
async function use(count: number, held = 10): Promise<void> {
  const one = async (index: number) => {
    const replica = replicas[index % 3];
    const admission = await replica?.arrive(key.key);
    if (replica === undefined || admission === undefined) throw new Error('The request was not counted.');
    if (!admission.isAdmitted) return;
    const demand = { model: 'small', tokens: held, pages: 0, cost: held };
    await replica.reservations.reserve(admission, demand, {}).catch(() => undefined);
    await replica.settle(admission, { tokens: 10, pages: 0, cost: 10 }, false);
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
}

/** The percentages that the audit log has, once nothing is left to write. */
async function noted(metric: string): Promise<number[]> {
  await waitFor(async () => (await service.query('select from limit_notices')).length === 0);
  const rows = await service.query<{ after: { percent: number; charged: number | string; max: number | string } }>(
    `select after from audit_events
     where action = 'limit.threshold' and target_id = $1 and after->>'metric' = $2 order by occurred_at, id`,
    [key.id, metric],
  );
  for (const { after } of rows) {
    expect(Number(after.charged) * 100).toBeGreaterThanOrEqual(after.percent * Number(after.max));
  }
  return rows.map(({ after }) => after.percent);
}

const day = "interval '1 day'";
/** As if everything had happened a day earlier. */
const nextDay = () =>
  service.query(
    `update limit_counters set level_at = level_at - ${day}, noticed_at = noticed_at - ${day} where owner_id = $1`,
    [key.id],
  );

describe('Percentages at which a limit notifies', () => {
  it('should be noted once in each period, in ascending order, by three replicas at once', async () => {
    await limit([
      { metric: 'tokens', per: 'day', max: 1000, notifyAt: [50, 80, 100] },
      { metric: 'requests', per: 'day', max: 100, notifyAt: [25, 100] },
      { metric: 'cost', per: 'day', max: '2000', notifyAt: [10, 50] },
    ]);
    await use(120);
    expect(await noted('tokens')).toEqual([50, 80, 100]);
    expect(await noted('requests')).toEqual([25, 100]);
    expect(await noted('cost')).toEqual([10, 50]);
    await nextDay();
    await use(60);
    expect(await noted('tokens')).toEqual([50, 80, 100, 50]);
    expect(await noted('requests')).toEqual([25, 100, 25]);
    expect(await noted('cost')).toEqual([10, 50, 10]);
  });

  it('should all be noted if one request reaches them', async () => {
    await limit([{ metric: 'tokens', per: 'month', max: 10, notifyAt: [1, 50, 100] }]);
    await use(1);
    expect(await noted('tokens')).toEqual([1, 50, 100]);
  });

  it('should not count what is only reserved', async () => {
    await limit([{ metric: 'tokens', per: 'week', max: 100, notifyAt: [50] }]);
    await use(1, 90);
    expect(await noted('tokens')).toEqual([]);
    await use(4, 15);
    expect(await noted('tokens')).toEqual([50]);
  });

  it('should be noted for a limit on models, and not again after its maximum was raised', async () => {
    await limit([{ metric: 'tokens', per: 'week', max: 20, models: ['small'], notifyAt: [50] }]);
    await use(1);
    expect(await noted('tokens')).toEqual([50]);
    const raised = [{ metric: 'tokens', per: 'week', max: 100, models: ['small'], notifyAt: [50] }];
    await service.query('update api_keys set limits = $2 where id = $1', [key.id, JSON.stringify(raised)]);
    await use(5);
    expect(await noted('tokens')).toEqual([50]);
  });
});
