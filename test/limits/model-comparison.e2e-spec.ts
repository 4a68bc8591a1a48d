import fc from 'fast-check';
import type { Limit } from '../../src/limits/limit.js';
import type { Admission } from '../../src/limits/admission.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { assertOutcomes } from '../setup/assert-outcomes.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import {
  AdmissionModel,
  type ModelDemand,
  type ModelLimitOptions,
  type ModelOutcome,
} from './model/admission-model.js';
import { holdClock, ModelReplica } from './model/model-replica.js';

/** What must have become of requests: on arrival, when they asked for tokens, and after they have waited. */
const outcomes = [
  'rejected on arrival',
  ...['reserved', 'waiting', 'rejected'],
  ...['reserved after waiting', 'rejected after waiting'],
];
const seen = new Set<string>();
const noon = Date.UTC(2026, 0, 31, 12);
const service = useTestApp();
let setClock: (milliseconds: number) => Promise<void>;
let replicas: ModelReplica[];
let organizationId: string;
let keys: Record<'a' | 'b', CreatedKey>;

beforeAll(async () => {
  const member = await createMember(service);
  organizationId = member.organizationId;
  keys = { a: await createApiKey(service, member), b: await createApiKey(service, member) };
  setClock = await holdClock(service);
  replicas = [1, 2, 3].map(() => new ModelReplica(service));
});
afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

const someKey = fc.constantFrom('a', 'b');
const limitOf = (metric: 'requests' | 'tokens', per: 'second' | 'minute' | 'day', max: fc.Arbitrary<number>) =>
  fc.option(
    fc.record({
      owner: fc.constantFrom('a', 'b', 'organization'),
      metric: fc.constant(metric),
      per: fc.constant(per),
      max,
    }),
    { nil: undefined },
  );
const someLimits = fc
  .tuple(
    limitOf('tokens', 'day', fc.integer({ min: 100, max: 3000 })),
    limitOf('tokens', 'day', fc.integer({ min: 100, max: 3000 })),
    limitOf('tokens', 'minute', fc.integer({ min: 100, max: 2000 })),
    limitOf('requests', 'second', fc.integer({ min: 1, max: 20 })),
    limitOf('requests', 'day', fc.integer({ min: 5, max: 60 })),
  )
  .map((limits) => {
    const found = limits.filter((limit) => limit !== undefined);
    const nameOf = ({ owner, metric, per }: ModelLimitOptions) => `${owner} ${metric} ${per}`;
    return [...new Map(found.map((limit): [string, ModelLimitOptions] => [nameOf(limit), limit])).values()];
  });
const someAmount = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1500 }));
const someStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('arrive'), key: someKey, replica: fc.nat({ max: 2 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('demand'), pick: fc.nat(), most: someAmount, isExact: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      pick: fc.nat(),
      share: fc.option(fc.double({ min: 0, max: 1.2, noNaN: true }), { nil: undefined }),
      isRefunded: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass'), milliseconds: fc.integer({ min: 1, max: 3000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass'), milliseconds: fc.constant(43_200_000) }) },
);
type Step =
  | { kind: 'arrive'; key: 'a' | 'b'; replica: number }
  | { kind: 'demand'; pick: number; most: number; isExact: boolean }
  | { kind: 'end'; pick: number; share: number | undefined; isRefunded: boolean }
  | { kind: 'pass'; milliseconds: number };
const someRound = fc.record({ limits: someLimits, steps: fc.array(someStep, { minLength: 30, maxLength: 60 }) });

const waitingCount = () => replicas.reduce((sum, { reservations }) => sum + reservations.waitingCount, 0);

/** A request that the model and a replica know. */
interface Running {
  readonly id: number;
  readonly replica: ModelReplica;
  readonly admission: Admission | undefined;
  demand: ModelDemand | undefined;
  outcome: ModelOutcome | undefined;
}

/** Runs the same operations against the model and three replicas. */
class Comparison {
  private readonly model: AdmissionModel;
  private readonly running: Running[] = [];
  private now: number;
  private lastId = 0;

  constructor(
    private readonly limits: readonly ModelLimitOptions[],
    start: number,
  ) {
    this.model = new AdmissionModel(limits);
    this.now = start;
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'arrive':
        return this.arrive(step.key, step.replica);
      case 'demand':
        return this.demand(step);
      case 'end':
        return this.end(step);
      case 'pass':
        return this.pass(step.milliseconds);
    }
  }

  /** Ends everything. Nothing is reserved then. */
  async finish(): Promise<void> {
    while (this.running.length > 0) await this.end({ pick: 0, share: 0.5, isRefunded: false });
    for (const { isBudget, reserved } of this.model.limits) if (isBudget) expect(reserved).toBe(0);
    expect(replicas.map(({ reservations }) => reservations.running.count)).toEqual([0, 0, 0]);
  }

  private async arrive(key: 'a' | 'b', index: number): Promise<void> {
    const replica = replicas[index];
    const found = await replica?.verifier.verify(keys[key].key, { uses: 'tokens', address: null });
    if (replica === undefined || found === undefined) throw new Error('The key was not found.');
    const id = ++this.lastId;
    const isAdmitted = this.model.arrive(id, key, 'tokens', this.now);
    expect(found.admission?.isAdmitted ?? true).toBe(isAdmitted);
    if (isAdmitted) {
      this.running.push({ id, replica, admission: found.admission, demand: undefined, outcome: undefined });
    } else seen.add('rejected on arrival');
    await this.compareCounters();
  }

  private async demand({ pick, most, isExact }: { pick: number; most: number; isExact: boolean }): Promise<void> {
    const reading = this.running.filter(({ demand }) => demand === undefined);
    const request = reading[pick % reading.length];
    if (request === undefined) return;
    // Requests are told apart by the time at which they ask.
    await this.pass(1);
    const { replica, admission } = request;
    const estimate = isExact ? undefined : Math.ceil(most / 4);
    request.demand = { metric: 'tokens', most, estimate };
    const expected = this.model.demand(request.id, request.demand, this.now);
    const demand = {
      tokens: most,
      pages: 0,
      ...(estimate !== undefined && { estimate: { tokens: estimate, pages: 0 } }),
    };
    const before = replica.reservations.waitingCount;
    replica.reservations.reserve(admission, demand, {}).then(
      () => (request.outcome = 'reserved'),
      () => (request.outcome = 'rejected'),
    );
    await waitFor(() => request.outcome !== undefined || replica.reservations.waitingCount > before);
    expect(request.outcome ?? 'waiting').toBe(expected);
    seen.add(expected);
    if (expected === 'rejected') await this.settle(request, 0, true);
    await this.settleDown();
  }

  private async end({ pick, share, isRefunded }: Omit<Extract<Step, { kind: 'end' }>, 'kind'>): Promise<void> {
    const request = this.running[pick % this.running.length];
    if (request === undefined) return;
    const wasWaiting = request.outcome === undefined && request.demand !== undefined;
    const hasReserved = request.outcome === 'reserved';
    const used = share === undefined ? undefined : Math.round(share * (request.demand?.most ?? 0));
    await this.settle(request, hasReserved ? used : 0, isRefunded);
    // Others stop waiting for it within half a second.
    if (wasWaiting) for (const step of [300, 300]) await this.moveClock(step);
    await this.settleDown();
  }

  private async pass(milliseconds: number): Promise<void> {
    // Requests that wait ask much more often than every half second.
    await this.moveClock(this.model.waitingIds.length > 0 ? Math.min(milliseconds, 400) : milliseconds);
    await this.settleDown();
  }

  private async moveClock(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    await setClock(this.now);
    // As replicas do once a minute.
    await Promise.all(replicas.map(({ reservations }) => reservations.running.renewAll()));
    await waitFor(async () => (await this.countAttempts()) >= waitingCount());
  }

  private async settle(request: Running, used: number | undefined, isRefunded: boolean): Promise<void> {
    const { id, replica, admission } = request;
    this.running.splice(this.running.indexOf(request), 1);
    this.model.end(id, used, isRefunded, this.now);
    const amounts = used === undefined ? null : { tokens: used, pages: 0 };
    if (admission !== undefined) await replica.settle(admission, amounts, isRefunded);
  }

  /** Waits until waiting requests have asked again, and compares what became of them. */
  private async settleDown(): Promise<void> {
    for (;;) {
      const decided = this.model.retry(this.now);
      for (const [id, expected] of decided) {
        const request = this.running.find((one) => one.id === id);
        await waitFor(() => request?.outcome !== undefined);
        expect(request?.outcome).toBe(expected);
        seen.add(`${expected} after waiting`);
        if (expected === 'rejected' && request !== undefined) await this.settle(request, 0, true);
      }
      if (decided.size === 0) break;
    }
    await waitFor(async () => (await this.countAttempts()) >= waitingCount());
    expect(waitingCount()).toBe(this.model.waitingIds.length);
    await this.compareCounters();
  }

  /** The number of requests that have asked at the present time and wait. */
  private async countAttempts(): Promise<number> {
    const [row] = await service.query<{ count: number }>(
      `select count(distinct waiter.key)::int as count from limit_counters cross join lateral jsonb_each_text(waiters) as waiter
       where organization_id = $1 and waiter.value::numeric / 1000 >= $2::numeric`,
      [organizationId, this.now],
    );
    return row?.count ?? 0;
  }

  private async compareCounters(): Promise<void> {
    const rows = await service.query<{ owner: string; metric: string; per: string; used: number; reserved: number }>(
      `select owner_id as owner, metric, per, limit_level(per, max, level, level_at, now) as used,
         limit_reserved(per, reserved, reserved_before, generation, level_at, now)::int as reserved
       from (select to_timestamp($2::double precision / 1000) as now) as clock
       cross join limits_of($1::uuid[], $1::uuid[]) join limit_counters using (owner_id, metric, per)`,
      [[keys.a.id, keys.b.id, organizationId], this.now],
    );
    expect(rows).toHaveLength(this.limits.length);
    for (const limit of this.model.limits) {
      limit.advance(this.now);
      const { owner, metric, per, max } = limit.options;
      const id = owner === 'organization' ? organizationId : keys[owner as 'a' | 'b'].id;
      const row = rows.find((one) => one.owner === id && one.metric === metric && one.per === per);
      expect(row?.used).toBeCloseTo(limit.charged, 3);
      expect(row?.reserved).toBe(limit.reserved);
      if (limit.isBudget && metric === 'tokens') expect(limit.reserved).toBeLessThanOrEqual(max);
    }
  }
}

async function limitAll(limits: readonly ModelLimitOptions[]): Promise<void> {
  const limitsOf = (owner: string): Limit[] => limits.filter((limit) => limit.owner === owner);
  await service.query('delete from limit_counters where organization_id = $1', [organizationId]);
  await setLimits(service, { organizationId }, limitsOf('organization'));
  for (const key of ['a', 'b'] as const) await setLimits(service, { keyId: keys[key].id }, limitsOf(key));
  await service.query(`update limit_counters set level_at = '-infinity' where organization_id = $1`, [organizationId]);
}

describe('Three replicas', () => {
  it('should decide, charge and reserve like the model, operation by operation, until every outcome has occurred', async () => {
    let start = noon;
    const property = fc.asyncProperty(someRound, async ({ limits, steps }) => {
      // Begins with unused limits.
      start += 10 * 86_400_000;
      await setClock(start);
      await limitAll(limits);
      const comparison = new Comparison(limits, start);
      for (const step of steps) await comparison.run(step);
      await comparison.finish();
    });
    await assertOutcomes(property, { outcomes, seen, minRuns: 20, maxRuns: 200, endOnFailure: true });
  });
});
