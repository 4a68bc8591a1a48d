import type { Admission, Reservation } from '../../../src/limits/admission.js';
import type { Amounts, Demand } from '../../../src/limits/amounts.js';
import type { DedicatedConnection } from '../../../src/database/dedicated-connection.js';
import { isBudget } from '../../../src/common/rules/limit-rules.js';
import { arrivalNeed, LimitErrors, LimitExceededError } from '../../../src/limits/limit-exceeded.js';
import { addCounters } from '../../../src/limits/limit-queries.js';
import type { Limit } from '../../../src/limits/limit.js';
import { waitFor } from '../../setup/wait-for.js';
import {
  AdmissionModel,
  amountOf,
  type Decision,
  type ModelDemand,
  type ModelLimit,
  nameOf,
} from './admission-model.js';
import type { ModelReplica } from './model-replica.js';
import { changed, type Step } from './steps.js';

const nothing: Amounts = { tokens: 0, pages: 0, cost: 0 };

/** What the comparison runs on. */
export interface Environment {
  /** Has the held clock. */
  readonly connection: DedicatedConnection;
  readonly organizationId: string;
  readonly keys: Readonly<Record<string, { readonly id: string; readonly key: string }>>;
  /** The last one's requests don't wait. */
  readonly replicas: ModelReplica[];
  readonly setClock: (milliseconds: number) => Promise<void>;
  /** Kills a replica and starts another one in its place. */
  readonly replace: (replica: number) => Promise<void>;
  /** What has happened so far. */
  readonly seen: Set<string>;
}

type Outcome =
  | { readonly kind: 'reserved'; readonly reservation: Reservation | undefined }
  | { readonly kind: 'rejected'; readonly error: unknown };

/** A request that the model and a replica know. */
interface Running {
  readonly id: number;
  readonly key: string;
  readonly replica: number;
  readonly admission: Admission | undefined;
  demand: ModelDemand | undefined;
  outcome: Outcome | undefined;
}

interface Round {
  readonly place: { readonly timeZone: string; readonly start: number };
  readonly limits: readonly ModelLimit[];
}

/** Runs the same operations against the model and three replicas. */
export class Comparison {
  private readonly model: AdmissionModel;
  private readonly running: Running[] = [];
  /** Limits that can be added. */
  private spares: ModelLimit[];
  private now: number;
  private lastId = 0;

  private constructor(
    private readonly environment: Environment,
    { place: { start, timeZone }, limits }: Round,
  ) {
    this.spares = limits.slice(-2);
    this.model = new AdmissionModel({ limits: limits.slice(0, -2), timeZone });
    this.now = start;
  }

  /** Begins with unused limits. */
  static async start(environment: Environment, round: Round): Promise<Comparison> {
    const { connection, organizationId, setClock } = environment;
    await setClock(round.place.start);
    const comparison = new Comparison(environment, round);
    await run(connection, 'delete from limit_counters where organization_id = $1', [organizationId]);
    await comparison.storeTimeZone(round.place.timeZone);
    await comparison.storeLimits(comparison.model.definitions);
    return comparison;
  }

  async run(step: Step): Promise<void> {
    await this.runStep(step);
    // They would renew holds whenever it suits them.
    for (const { reservations } of this.environment.replicas) reservations.running.stop();
  }

  private async runStep(step: Step): Promise<void> {
    switch (step.kind) {
      case 'arrive':
        return this.arrive(step);
      case 'demand':
        return this.demand(step);
      case 'demand more':
        return this.demandMore(step);
      case 'end':
        return this.end(step);
      case 'pass':
        return this.pass(step);
      case 'kill':
        return this.kill(step.replica);
      case 'change':
        return this.change(step);
      case 'move':
        return this.moveTo(step.timeZone);
    }
  }

  /** Ends everything. Once what was lost has expired, nothing is reserved. */
  async finish(): Promise<void> {
    while (this.running.length > 0) await this.end({ pick: 0, share: 0.5, isRefunded: false });
    await this.pass({ milliseconds: 30_000, stalled: undefined });
    for (const { reserved } of this.model.states(this.now)) expect(reserved).toBe(0);
    expect(this.environment.replicas.map(({ reservations }) => reservations.running.count)).toEqual([0, 0, 0]);
  }

  private async arrive({ key, replica }: Pick<Running, 'key' | 'replica'>): Promise<void> {
    const secret = this.environment.keys[key]?.key;
    if (secret === undefined) throw new Error('The key is unknown.');
    const id = ++this.lastId;
    const admission = await this.replicaAt(replica).arrive(secret);
    const exceeded = this.model.arrive({ id, key, replica }, this.now);
    expect(admission?.isAdmitted ?? true).toBe(exceeded.length === 0);
    if (exceeded.length === 0)
      this.running.push({ id, key, replica, admission, demand: undefined, outcome: undefined });
    else if (admission !== undefined) {
      this.saw('rejected on arrival');
      this.expectReason(new LimitErrors(admission, arrivalNeed('tokens'), 'USD').exceeded(), key, exceeded);
    }
    await this.compareCounters();
  }

  private async demand({ pick, demand }: Extract<Step, { kind: 'demand' }>): Promise<void> {
    const reading = this.running.filter((one) => one.demand === undefined);
    const request = reading[pick % reading.length];
    if (request === undefined) return;
    // Waiting requests are ordered by the time at which they asked first.
    await this.pass({ milliseconds: 1, stalled: undefined });
    if (this.model.hasRival(request.id, demand, this.now)) return;
    request.demand = demand;
    const { id, replica, admission } = request;
    const { reservations } = this.replicaAt(replica);
    const isLimited = admission !== undefined && this.model.isLimited(id, demand);
    const isLastAttempt = replica === 2;
    const decision = isLimited ? this.model.demand(id, demand, isLastAttempt, this.now) : undefined;
    const before = reservations.waitingCount;
    reservations.reserve(admission, toDemand(demand), {}).then(
      (reservation) => (request.outcome = { kind: 'reserved', reservation }),
      (error: unknown) => (request.outcome = { kind: 'rejected', error }),
    );
    await waitFor(() => request.outcome !== undefined || reservations.waitingCount > before);
    if (decision?.outcome === 'waiting' && !isLastAttempt) {
      expect(request.outcome).toBeUndefined();
      this.saw('waiting');
    } else {
      this.expectOutcome(request, decision, '');
      if (request.outcome?.kind === 'rejected') await this.settle(request, nothing, true);
    }
    await this.settleDown();
  }

  /** As for a fallback, or another target of the same model after one that was given up. */
  private async demandMore({ pick, demand, abandonedShare }: Extract<Step, { kind: 'demand more' }>): Promise<void> {
    const served = this.running.filter(({ outcome }) => outcome?.kind === 'reserved');
    const request = served[pick % served.length];
    if (request?.demand === undefined || request.outcome?.kind !== 'reserved') return;
    if (abandonedShare === undefined && request.demand.model === demand.model) return;
    await this.pass({ milliseconds: 1, stalled: undefined });
    const { reservation: first } = request.outcome;
    const abandonedUse = abandonedShare === undefined ? undefined : shareOf(first?.held ?? nothing, abandonedShare);
    const { reservations } = this.replicaAt(request.replica);
    const { admission } = request;
    const { fits, reservation } = await reservations.reserveMore(admission, toDemand(demand));
    const decision = admission && this.model.demandMore(request.id, demand, abandonedUse, this.now);
    expect(fits).toBe(decision === undefined || decision.outcome === 'reserved');
    this.saw(`another attempt ${fits ? 'reserved' : 'rejected'}`);
    if (fits) {
      request.demand = demand;
      request.outcome = { kind: 'reserved', reservation };
      if (first !== undefined && abandonedUse !== undefined) first.used = abandonedUse;
      if (first !== undefined && abandonedUse === undefined && admission) reservations.release(admission, first);
      if (first !== undefined) this.saw(abandonedUse === undefined ? 'released' : 'abandoned');
    }
    await this.settleDown();
  }

  private async end({ pick, share, isRefunded }: Omit<Extract<Step, { kind: 'end' }>, 'kind'>): Promise<void> {
    const request = this.running[pick % this.running.length];
    if (request === undefined) return;
    const wasWaiting = request.outcome === undefined && request.demand !== undefined;
    const held = request.outcome?.kind === 'reserved' ? request.outcome.reservation?.held : undefined;
    const used = share === undefined ? undefined : shareOf(held ?? nothing, share);
    if (held !== undefined && used === undefined) this.saw('unknown usage');
    for (const fate of this.model.fatesOf(request.id, this.now)) this.saw(`ended after its hold ${fate}`);
    await this.settle(request, held === undefined ? nothing : used, isRefunded);
    if (wasWaiting) {
      await this.replicaAt(request.replica).finishAttempts();
      await this.forgetWaiters();
    }
    await this.settleDown();
  }

  /** A replica that stalls renews nothing. */
  private async pass({ milliseconds, stalled }: Omit<Extract<Step, { kind: 'pass' }>, 'kind'>): Promise<void> {
    const waiting = this.model.waitingIds.length;
    // Requests that wait ask much more often than every half second, and replicas renew every few seconds.
    const most = waiting === 0 ? milliseconds : waiting === 1 ? 50_000 : 400;
    const atOnce = waiting === 0 ? milliseconds : waiting === 1 ? 14_000 : 400;
    for (let left = Math.min(milliseconds, most); left > 0; left -= atOnce) {
      await this.moveClock(Math.min(left, atOnce), stalled);
      await this.settleDown();
    }
  }

  /** Its requests are gone, but what they hold isn't. */
  private async kill(replica: number): Promise<void> {
    const lost = this.running.filter((request) => request.replica === replica);
    for (const request of lost) {
      this.running.splice(this.running.indexOf(request), 1);
      request.admission?.end();
    }
    this.model.kill(replica);
    await this.environment.replace(replica);
    if (lost.some(({ admission }) => admission?.isRunning)) this.saw('killed');
    await this.forgetWaiters();
    await this.settleDown();
  }

  private async change(step: Extract<Step, { kind: 'change' }>): Promise<void> {
    const { how, pick } = step;
    const limits = how === 'add' ? this.spares : this.model.definitions;
    const limit = limits[pick % limits.length];
    // Otherwise, requests that waited in a line would ask in any order.
    if (limit === undefined || (how === 'remove' && this.model.waitingIds.length > 1)) return;
    const name = nameOf(limit);
    const after = how === 'add' ? limit : changed(limit, step, this.now);
    if (after === undefined && how !== 'remove') return;
    if (how === 'add') this.saw(this.spares.indexOf(limit) < 2 ? 'added' : 'added again');
    else this.saw(how);
    this.spares = this.spares.filter((one) => one !== limit);
    if (how === 'remove') this.spares.push(limit);
    this.model.setLimit(name, after, this.now);
    await this.storeLimits(how === 'add' ? [limit] : []);
    await this.moveClock(1, undefined);
    await this.settleDown();
  }

  private async moveTo(timeZone: string): Promise<void> {
    if (!this.model.setTimeZone(timeZone, this.now)) return;
    await this.storeTimeZone(timeZone);
    this.saw('moved to another time zone');
    await this.moveClock(1, undefined);
    await this.settleDown();
  }

  private async moveClock(milliseconds: number, stalled: number | undefined): Promise<void> {
    this.now += milliseconds;
    const { replicas, setClock } = this.environment;
    await setClock(this.now);
    // As replicas do every few seconds.
    const renewing = [0, 1, 2].filter((replica) => replica !== stalled);
    await Promise.all(renewing.flatMap((replica) => replicas[replica]?.reservations.running.renewAll() ?? []));
    if (this.model.renew(renewing, this.now)) this.saw('renewed after it had expired');
    await waitFor(async () => (await this.countAttempts()) >= this.countWaiting());
  }

  /** Others stop waiting for a request half a second after its last attempt. */
  private async forgetWaiters(): Promise<void> {
    for (const step of [400, 200]) await this.moveClock(step, undefined);
  }

  private async settle(request: Running, used: Amounts | undefined, isRefunded: boolean): Promise<void> {
    const { id, replica, admission } = request;
    this.running.splice(this.running.indexOf(request), 1);
    if (isRefunded) this.saw('refunded');
    this.model.end(id, used, isRefunded, this.now);
    if (admission !== undefined) await this.replicaAt(replica).settle(admission, used ?? null, isRefunded);
  }

  /** Waits until waiting requests have asked again, and compares what became of them. */
  private async settleDown(): Promise<void> {
    for (;;) {
      const decided = this.model.retry(this.now);
      for (const [id, decision] of decided) {
        const request = this.running.find((one) => one.id === id);
        if (request === undefined) throw new Error('A request that has ended waits.');
        await waitFor(() => request.outcome !== undefined);
        this.expectOutcome(request, decision, ' after waiting');
        if (request.outcome?.kind === 'rejected') await this.settle(request, nothing, true);
      }
      if (decided.size === 0) break;
    }
    await waitFor(async () => (await this.countAttempts()) >= this.countWaiting());
    expect(this.countWaiting()).toBe(this.model.waitingIds.length);
    await this.compareCounters();
  }

  private expectOutcome({ key, demand, outcome }: Running, decision: Decision | undefined, when: string): void {
    if (outcome === undefined || demand === undefined) throw new Error('The request is still waiting.');
    if (decision === undefined) {
      expect(outcome).toEqual({ kind: 'reserved', reservation: undefined });
      this.saw('not limited');
    } else if (decision.outcome === 'reserved') {
      const { output } = decision;
      expect(outcome).toMatchObject({
        kind: 'reserved',
        reservation: {
          held: { tokens: amountOf(demand, 'tokens', output), cost: amountOf(demand, 'cost', output) },
          outputLimit: output < demand.output ? output : undefined,
        },
      });
      this.saw(`${output < demand.output ? 'lowered' : 'reserved'}${when}`);
    } else if (decision.outcome === 'exceeded') {
      this.expectReason(outcome.kind === 'rejected' ? outcome.error : undefined, key, decision.limits);
      this.saw(`exceeded${when}`);
    } else {
      expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'limit-reserved' } });
      this.saw('busy');
    }
  }

  /** An error must name a limit that leaves too little, even if running requests used nothing. */
  private expectReason(error: unknown, key: string, exceeded: readonly string[]): void {
    if (!(error instanceof LimitExceededError))
      throw new Error('The request was not rejected by a limit.', { cause: error });
    expect(error.code).not.toBe('limit-reserved');
    const { owner, metric, per, models } = error.limit;
    const name = nameOf({
      owner: owner === 'api-key' ? key : owner,
      metric,
      ...(per !== undefined && { per }),
      ...(models !== undefined && { models }),
    });
    expect(exceeded).toContain(name);
    this.saw(`exceeded: ${metric}${models === undefined ? '' : ' of models'}`);
  }

  private countWaiting(): number {
    return this.environment.replicas.reduce((sum, { reservations }) => sum + reservations.waitingCount, 0);
  }

  /** The number of requests that have asked at the current time and wait. */
  private async countAttempts(): Promise<number> {
    const [row] = await this.query<[number]>(
      `select count(distinct waiter.key)::int from limit_counters cross join lateral jsonb_each_text(waiters) as waiter
       where organization_id = $1 and waiter.value::numeric / 1000 >= $2::numeric`,
      [this.environment.organizationId, this.now],
    );
    return row?.[0] ?? 0;
  }

  private async compareCounters(): Promise<void> {
    const states = this.model.states(this.now);
    const expected = states.map(({ limit, charged, reserved, counter }) => {
      const estimated = isBudget(limit) ? counter.estimatedAt(this.now) : 0;
      return [nameOf(limit), toThousandths(charged), reserved, estimated].join(' ');
    });
    let actual: string[] = [];
    const start = performance.now();
    // Released amounts aren't waited for.
    await waitFor(async () => {
      actual = await this.readCounters();
      return actual.join() === expected.toSorted().join() || performance.now() - start > 3000;
    });
    expect(actual).toEqual(expected.toSorted());
    for (const { limit, max, charged, reserved, counter } of states) {
      expect(Math.min(charged, reserved)).toBeGreaterThanOrEqual(0);
      const isWithin = charged + reserved <= max;
      if (limit.per === undefined && isWithin) counter.mayExceed = false;
      if (limit.per !== undefined && !isBudget(limit)) continue;
      if (!counter.mayExceed) expect([nameOf(limit), isWithin]).toEqual([nameOf(limit), true]);
    }
  }

  /** What the functions of the database say, sorted. */
  private async readCounters(): Promise<string[]> {
    const { organizationId, keys } = this.environment;
    const ids = [organizationId, ...Object.values(keys).map(({ id }) => id)];
    const rows = await this.query<[string, string, string, string[] | null, number, number, number]>(
      `select def.owner_id, def.metric, def.per, def.models,
         limit_charged(counter, def.metric, def.max, now, def.time_zone),
         limit_held(def.per, held, held_before, held_generation, level_at, now, def.time_zone)::int,
         case when is_budget(def.per) then limit_estimated(counter, now, def.time_zone) else 0 end
       from (select clock_timestamp() as now) as clock
       cross join limit_definitions($1::uuid[], $1::uuid[]) as def
       join limit_counters as counter
         on counter.owner_id = def.owner_id and counter.metric = def.counter_metric and counter.per = def.per`,
      [ids],
    );
    const ownerOf = (id: string) => Object.entries(keys).find(([, key]) => key.id === id)?.[0] ?? 'organization';
    return rows
      .map(([id, metric, per, models, charged, reserved, estimated]) => {
        const name = [ownerOf(id), metric, per, (models ?? []).join()].join(' ').trim();
        return [name, toThousandths(charged), reserved, estimated].join(' ');
      })
      .sort();
  }

  /** In one transaction, as the API does. */
  private async storeLimits(added: readonly ModelLimit[]): Promise<void> {
    const { connection, organizationId, keys } = this.environment;
    const owners = [
      ...Object.entries(keys).map(([owner, { id }]) => ({ owner, id })),
      { owner: 'organization', id: organizationId },
    ];
    const storedOf = (limits: readonly ModelLimit[], owner: string) =>
      limits.filter((limit) => limit.owner === owner).map(toLimit);
    await run(connection, 'begin');
    for (const { owner, id } of owners) {
      const stored = storedOf(this.model.definitions, owner);
      const value = stored.length === 0 ? null : JSON.stringify(stored);
      if (owner === 'organization') {
        await run(connection, 'update organizations set limits = $2 where id = $1', [id, value]);
        await run(connection, 'update api_keys set organization_limited = $2 where organization_id = $1', [
          id,
          value !== null,
        ]);
      } else await run(connection, 'update api_keys set limits = $2 where id = $1', [id, value]);
      const limits = storedOf(added, owner);
      if (limits.length === 0) continue;
      const values = addCounters.bind({ ownerId: id, organizationId, limits: JSON.stringify(limits) });
      await run(connection, addCounters.text, values);
    }
    await run(connection, 'commit');
  }

  private async storeTimeZone(timeZone: string): Promise<void> {
    const { connection, organizationId } = this.environment;
    await run(connection, 'update organizations set time_zone = $2 where id = $1', [organizationId, timeZone]);
  }

  private query<Row extends unknown[]>(text: string, values: unknown[]): Promise<Row[]> {
    return this.environment.connection.query<Row>({ text, values, rowMode: 'array' });
  }

  private replicaAt(index: number): ModelReplica {
    const replica = this.environment.replicas[index];
    if (replica === undefined) throw new Error('The replica is unknown.');
    return replica;
  }

  private saw(what: string): void {
    this.environment.seen.add(what);
  }
}

async function run(connection: DedicatedConnection, text: string, values: unknown[] = []): Promise<void> {
  await connection.query({ text, values, rowMode: 'array' });
}

function toDemand({ model, most, estimate, output, leastOutput, choices, price }: ModelDemand): Demand {
  return {
    model,
    ...most,
    pages: 0,
    ...(estimate !== undefined && { estimate: { tokens: estimate, pages: 0 } }),
    ...(output > 0 && { output: { tokens: output, leastTokens: leastOutput, choices, price } }),
  };
}

function toLimit({ metric, per, max, models, increase }: ModelLimit): Limit {
  const amountFor = (amount: number) => (metric === 'cost' ? String(amount) : amount);
  return {
    metric,
    ...(per !== undefined && { per }),
    max: amountFor(max),
    ...(models !== undefined && { models: [...models] }),
    ...(increase !== undefined && {
      increase: { by: amountFor(increase.by), until: new Date(increase.until).toISOString() },
    }),
  };
}

function shareOf({ tokens, pages, cost }: Amounts, share: number): Amounts {
  return { tokens: Math.round(tokens * share), pages: Math.round(pages * share), cost: Math.round(cost * share) };
}

/** Levels of buckets are only about the same. They often end between two thousandths, so nothing is rounded there. */
const toThousandths = (amount: number) => (amount + 0.000123).toFixed(3);
