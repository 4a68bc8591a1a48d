import { DataSource } from 'typeorm';
import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { ModelReplica } from './model/model-replica.js';

const [service, other] = useReplicas();
let replicas: ModelReplica[];
let member: Member;
let key: CreatedKey;

beforeAll(() => {
  replicas = [service, other].map((one) => new ModelReplica(one));
});
afterAll(() => Promise.all(replicas.map((replica) => replica.close())));
beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member, 'Search indexer');
});

const manage = (route: string, body: unknown, { url } = service) => call(url, route, { token: member.token, body });
const perDay: Limit = { metric: 'tokens', per: 'day', max: 1000, notifyAt: [50, 100] };

/** The same changes of a key and of an organization. */
const owners = {
  'a key': {
    owner: () => ({ keyId: key.id }),
    id: () => key.id,
    target: () => ({ targetKind: 'api-key', targetId: key.id, targetName: 'Search indexer' }),
    change: (...limits: Limit[]) => manage(`PATCH /api-keys/${key.id}`, { limits }),
  },
  'an organization': {
    owner: () => ({ organizationId: member.organizationId }),
    id: () => member.organizationId,
    target: () => ({ targetKind: 'organization', targetId: member.organizationId }),
    change: (...limits: Limit[]) => manage('PATCH /organizations/current', { limits }),
  },
};

const charge = (id: string, amount: number) =>
  service.query(
    'update limit_counters set level = $2::bigint, charged = $2::bigint, level_at = clock_timestamp() where owner_id = $1',
    [id, amount],
  );

interface Noted {
  percent: number;
  charged: number | string;
  max: number | string;
}

const thresholds = async (id: string) =>
  (await readAuditEvents(service, { targetId: id })).filter(({ action }) => action === 'limit.threshold');
const noted = async (id: string) =>
  (await thresholds(id)).map(({ after }) => {
    const { percent, charged, max } = after as Noted;
    return [percent, charged, max];
  });
const untilNoted = (id: string, count: number) => waitFor(async () => (await thresholds(id)).length >= count);

const checksOf = (id: string) =>
  service.query<{ isFirst: boolean; isDue: boolean }>(
    'select first_checked_at is null as "isFirst", due_at <= now() as "isDue" from limit_checks where owner_id = $1',
    [id],
  );
/** Returns once the limits were checked, and nothing is left to write. */
const untilChecked = (id: string) =>
  waitFor(async () => {
    const notices = await service.query('select from limit_notices where owner_id = $1', [id]);
    return notices.length === 0 && !(await checksOf(id)).some(({ isFirst }) => isFirst);
  });
/** As if the time of the next checks had come. Returns once they are over. */
async function checkAgain(id: string): Promise<void> {
  await service.query(`update limit_checks set due_at = due_at - interval '1 day' where owner_id = $1`, [id]);
  await waitFor(async () => (await checksOf(id)).every(({ isDue }) => !isDue));
}

describe.each(Object.entries(owners))('A changed limit of %s', (_name, { owner, id, target, change }) => {
  it('should leave an event for each percentage that a lower maximum has already passed, without a request', async () => {
    await setLimits(service, owner(), [perDay]);
    await charge(id(), 400);
    expect((await change({ ...perDay, max: 300 })).status).toBe(200);
    await untilNoted(id(), 2);
    expect(await thresholds(id())).toMatchObject([
      {
        ...target(),
        actorKind: 'system',
        after: { metric: 'tokens', per: 'day', percent: 50, charged: 400, max: 300 },
      },
      {
        ...target(),
        actorKind: 'system',
        after: { metric: 'tokens', per: 'day', percent: 100, charged: 400, max: 300 },
      },
    ]);
  });

  it('should leave an event for a new percentage that was already passed', async () => {
    await setLimits(service, owner(), [{ metric: 'cost', per: 'month', max: '10000000000' }]);
    await charge(id(), 2_500_000_001);
    await change({ metric: 'cost', per: 'month', max: '10', notifyAt: [25, 26] });
    await untilNoted(id(), 1);
    await untilChecked(id());
    expect(await noted(id())).toEqual([[25, '2.500000001', '10']]);
  });

  it('should leave an event for a new budget that recorded usage has already passed', async () => {
    const { organizationId } = member;
    await recordUsage(service, [{ organizationId, apiKeyId: key.id, inputTokens: 90 }]);
    await change({ metric: 'tokens', per: 'month', max: 100, notifyAt: [80, 100] });
    await untilNoted(id(), 1);
    expect(await noted(id())).toEqual([[80, 90, 100]]);
  });

  it('should leave no event twice, however often limits change', async () => {
    await setLimits(service, owner(), [perDay]);
    await charge(id(), 400);
    await change({ ...perDay, max: 500 });
    await untilNoted(id(), 1);
    await change({ ...perDay, max: 450 });
    await change({ ...perDay, max: 400 });
    await untilNoted(id(), 2);
    await change({ ...perDay, max: 350, notifyAt: [50, 60, 100] });
    await untilChecked(id());
    await checkAgain(id());
    expect(await noted(id())).toEqual([
      [50, 400, 500],
      [100, 400, 400],
    ]);
  });

  it('should leave an event when its increase ends', async () => {
    await setLimits(service, owner(), [perDay]);
    await charge(id(), 450);
    const until = new Date(Date.now() + 1500).toISOString();
    await change({ ...perDay, max: 400, increase: { by: 1000, until }, notifyAt: [100] });
    await untilChecked(id());
    await untilNoted(id(), 1);
    expect(await noted(id())).toEqual([[100, 450, 400]]);
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.now());
  });

  it('should leave an event for what a request uses that started before the change', async () => {
    await setLimits(service, owner(), [perDay]);
    const [replica] = replicas;
    const admission = await replica?.arrive(key.key);
    if (replica === undefined || admission === undefined) throw new Error('The request was not counted.');
    await replica.reservations.reserve(admission, { model: 'small', tokens: 90, pages: 0, cost: 0 }, {});
    await change({ ...perDay, max: 100 });
    await untilChecked(id());
    expect(await noted(id())).toEqual([]);
    // The request still holds something, so limits stay to be checked.
    await checkAgain(id());
    expect(await checksOf(id())).toHaveLength(1);
    await replica.settle(admission, { tokens: 60, pages: 0, cost: 0 }, false);
    await checkAgain(id());
    await untilNoted(id(), 1);
    expect(await noted(id())).toEqual([[50, 60, 100]]);
    expect(await checksOf(id())).toEqual([]);
  });
});

describe('setLimits of POST /api-keys/bulk-update', () => {
  it('should leave an event for each key that is already over', async () => {
    const keys = [key, ...(await Promise.all([1, 2].map(() => createApiKey(service, member))))];
    for (const [index, { id }] of keys.entries()) {
      await setLimits(service, { keyId: id }, [{ metric: 'tokens', per: 'day', max: 1000 }]);
      await charge(id, 100 * index);
    }
    const setLimit = { metric: 'tokens', per: 'day', max: 150, notifyAt: [60, 100] };
    await manage('POST /api-keys/bulk-update', { ids: keys.map(({ id }) => id), setLimits: [setLimit] });
    for (const { id } of keys) await untilChecked(id);
    expect(await Promise.all(keys.map(({ id }) => noted(id)))).toEqual([
      [],
      [[60, 100, 150]],
      [
        [60, 200, 150],
        [100, 200, 150],
      ],
    ]);
  });
});

describe('Changes of limits on two replicas under load', () => {
  it('should leave each percentage once, with amounts that have reached it', async () => {
    await setLimits(service, { keyId: key.id }, [{ ...perDay, max: 100_000 }]);
    let isOver = false;
    const use = async (replica: ModelReplica) => {
      for (let count = 0; count < 40; count++) {
        const admission = await replica.arrive(key.key);
        if (admission?.isAdmitted !== true) continue;
        await replica.reservations
          .reserve(admission, { model: 'small', tokens: 10, pages: 0, cost: 0 }, {})
          .catch(() => undefined);
        await replica.settle(admission, { tokens: 10, pages: 0, cost: 0 }, false);
      }
    };
    const notifyAt = [1, 2, 5, 10, 20, 30, 40];
    const change = (max: number, one = service) =>
      manage(`PATCH /api-keys/${key.id}`, { limits: [{ ...perDay, max, notifyAt }] }, one);
    const lower = async () => {
      for (let max = 5000; !isOver; max = Math.max(1000, max - 100)) {
        await Promise.all([service, other].map((one, index) => change(max + index, one)));
      }
    };
    const lowering = lower();
    await Promise.all([...replicas, ...replicas].map(use)).finally(() => (isOver = true));
    await lowering;
    await change(1000);
    await untilNoted(key.id, notifyAt.length);
    await checkAgain(key.id);
    await untilChecked(key.id);
    const found = await noted(key.id);
    expect(found.map(([percent]) => percent)).toEqual(notifyAt);
    for (const [percent, charged, max] of found) {
      expect(Number(charged) * 100).toBeGreaterThanOrEqual(Number(percent) * Number(max));
    }
  });
});

describe('A change of limits', () => {
  it('should not wait for counters that a request has locked, and leave its event afterwards', async () => {
    await setLimits(service, { keyId: key.id }, [perDay]);
    await charge(key.id, 400);
    const request = service.app.get(DataSource).createQueryRunner();
    await request.startTransaction();
    await request.query('select from limit_counters where owner_id = $1 for update', [key.id]);
    const { status } = await manage(`PATCH /api-keys/${key.id}`, { limits: [{ ...perDay, max: 500 }] });
    await request.rollbackTransaction();
    await request.release();
    expect(status).toBe(200);
    await untilNoted(key.id, 1);
    expect(await noted(key.id)).toEqual([[50, 400, 500]]);
  });

  it('should be checked by another replica if the one that committed it is killed', async () => {
    await setLimits(service, { keyId: key.id }, [perDay]);
    await charge(key.id, 600);
    await service.query('insert into limit_checks (due_at, owner_id, organization_id) values (now(), $1, $2)', [
      key.id,
      member.organizationId,
    ]);
    await untilNoted(key.id, 1);
    expect(await noted(key.id)).toEqual([[50, 600, 1000]]);
  });

  it('should not be checked if the limits have no percentages', async () => {
    await manage(`PATCH /api-keys/${key.id}`, { limits: [{ metric: 'tokens', per: 'day', max: 1 }] });
    expect(await checksOf(key.id)).toEqual([]);
  });

  it('should leave no check of a key that was deleted in the meantime', async () => {
    const limits = [{ ...perDay, increase: { by: 1, until: new Date(Date.now() + 3_600_000).toISOString() } }];
    await manage(`PATCH /api-keys/${key.id}`, { limits });
    await call(service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
    await checkAgain(key.id);
    await checkAgain(key.id);
    expect(await checksOf(key.id)).toEqual([]);
    expect(await thresholds(key.id)).toEqual([]);
  });
});
