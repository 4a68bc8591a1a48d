import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { runAdmin } from '../../../test/setup/run-admin.js';
import type { TemporaryFolder } from '../../../test/setup/temporary-folder.js';
import { Administrator } from '../administrator.js';
import { Replicas } from '../replicas.js';
import { Secrets } from '../secrets.js';
import { Traffic } from '../traffic.js';
import { Budgets, CountingUpstream } from './budgets.js';
import { Cluster, findClusterPrograms } from './cluster.js';
import { type Fault, faults } from './faults.js';
import { waitAtMost } from './wait-at-most.js';

const replicaCount = 3;
const administratorCount = 4;
const callerCount = 24;
const budgetCount = 2;
/** Below `ttl` of the cluster. */
const leaseSeconds = 5;
const recoverySeconds = 180;
/** Between a recovery and the next fault. */
const calmMilliseconds = 15_000;
/** How long an operator waits for the right primary before accepting the history. */
const operatorPatienceSeconds = 15;

export interface ClusterGoal {
  readonly requests: number;
  readonly failovers: number;
  readonly maxMinutes: number;
  /** Those to inject, in turn. */
  readonly faults?: readonly Fault[];
}

/** What happened while faults of one kind were injected. */
export interface FaultRow {
  readonly title: string;
  times: number;
  failovers: number;
  requests: number;
  /** Accepted although the revocation was confirmed. */
  stale: number;
  /** How often the cluster lost confirmed changes, which Keycard reported and the operator accepted. */
  accepted: number;
  /** Seconds until all replicas were ready again, of each time. */
  readonly unavailableSeconds: number[];
}

export interface ClusterRun {
  readonly rows: readonly FaultRow[];
  readonly minutes: number;
  readonly requests: number;
  readonly deletions: number;
  readonly rotations: number;
  readonly disabled: number;
  readonly expired: number;
  readonly stale: number;
  /** Live keys that were rejected. */
  readonly rejectedLive: number;
  /** Revoked secrets that were accepted at the end, when everything worked. */
  readonly undone: number;
  readonly budgets: number;
  readonly budgetsExceeded: number;
  readonly embeddings: number;
  /** Embeddings that clients received and no usage shows. */
  readonly usageLost: number;
}

/** Uses and revokes keys while a cluster fails in all ways, until the goal is reached. */
export async function checkCluster(folder: TemporaryFolder, goal: ClusterGoal): Promise<ClusterRun> {
  const programs = findClusterPrograms();
  if (Array.isArray(programs)) throw new Error(`Not installed: ${programs.join(', ')}.`);
  const cluster = await Cluster.start(folder.path, programs);
  const upstream = new CountingUpstream();
  const check = new ClusterCheck(cluster, upstream, folder.path);
  try {
    return await check.run(goal);
  } finally {
    await check.stop();
    upstream.stop();
    await cluster.stop();
  }
}

class ClusterCheck {
  private readonly secrets = new Secrets();
  private readonly rows = new Map<string, FaultRow>();
  private readonly replicas: Replicas;
  private readonly traffic: Traffic;
  private readonly administrator: Administrator;
  private readonly budgets: Budgets;
  private failovers = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly upstream: CountingUpstream,
    private readonly folder: string,
  ) {
    this.replicas = new Replicas(cluster.connection, folder, {
      PRIMARY_LEASE_SECONDS: String(leaseSeconds),
      MODELS_FILE: path.join(folder, 'models.yaml'),
    });
    this.traffic = new Traffic(this.replicas, this.secrets, true);
    this.administrator = new Administrator(cluster.connection, this.replicas, this.secrets, this.traffic);
    this.budgets = new Budgets(this.replicas, this.administrator, upstream);
  }

  async run(goal: ClusterGoal): Promise<ClusterRun> {
    const baseUrl = await this.upstream.start();
    const model = { id: 'mock', task: 'embeddings', targets: [{ baseUrl }] };
    await mkdir(this.folder, { recursive: true });
    await writeFile(path.join(this.folder, 'models.yaml'), JSON.stringify({ models: [model] }));
    for (let number = 1; number <= replicaCount; number++) await this.replicas.start(number);
    await waitAtMost(recoverySeconds, () => this.isReady());
    await this.administrator.signIn();

    const startedAt = performance.now();
    const minutes = () => (performance.now() - startedAt) / 60_000;
    const isReached = () => this.requests >= goal.requests && this.failovers >= goal.failovers;
    let isOver = false;
    const repeat = (count: number, task: () => Promise<void>) => Array.from({ length: count }, task);
    const working = Promise.all([
      this.countFailovers(() => isOver),
      ...repeat(administratorCount, () => this.administrator.run(() => isOver)),
      ...repeat(callerCount, () => this.traffic.run(() => isOver)),
      ...repeat(budgetCount, () => this.budgets.run(() => isOver)),
    ]);
    const injected = goal.faults ?? faults;
    for (let round = 0; !isReached() && minutes() < goal.maxMinutes; round++) {
      const fault = injected[round % injected.length];
      if (fault !== undefined) await this.inject(fault);
    }
    isOver = true;
    await working;
    return { ...(await this.sumUp()), minutes: minutes() };
  }

  async stop(): Promise<void> {
    await this.replicas.stop();
  }

  private get requests(): number {
    return this.traffic.counts.accepted + this.traffic.counts.rejected;
  }

  /** Breaks something, and waits until everything works again. */
  private async inject(fault: Fault): Promise<void> {
    const row = this.rowOf(fault);
    const before = { ...this.traffic.counts, requests: this.requests, failovers: this.failovers };
    let isInjecting = true;
    const watching = this.watchReadiness(() => isInjecting);
    await fault.inject(this.cluster, this.replicas);
    const isRecovered = async () => (await this.cluster.isHealthy()) && (await this.isReady());
    if (!(await waitAtMost(operatorPatienceSeconds, isRecovered))) row.accepted += Number(await this.actAsOperator());
    const hasRecovered = await waitAtMost(recoverySeconds, isRecovered);
    isInjecting = false;
    const unavailable = await watching;
    if (!hasRecovered) console.error(`Not recovered after ${recoverySeconds} seconds: ${fault.title}`);
    await delay(calmMilliseconds);
    row.times += 1;
    row.failovers += this.failovers - before.failovers;
    row.requests += this.requests - before.requests;
    row.stale += this.traffic.counts.acceptedRevoked - before.acceptedRevoked;
    row.unavailableSeconds.push(unavailable);
    const what = `${this.requests} requests, ${this.failovers} failovers, ${this.traffic.counts.acceptedRevoked} stale`;
    console.log(`${what}; ${fault.title}: ${unavailable.toFixed(1)} s unavailable`);
  }

  private rowOf({ title }: Fault): FaultRow {
    const none = { times: 0, failovers: 0, requests: 0, stale: 0, accepted: 0, unavailableSeconds: [] };
    const row = this.rows.get(title) ?? { title, ...none };
    this.rows.set(title, row);
    return row;
  }

  /** @returns whether the database went back in time, and the operator accepted it */
  private async actAsOperator(): Promise<boolean> {
    await waitAtMost(recoverySeconds, () => this.cluster.isHealthy());
    if (!(await waitAtMost(operatorPatienceSeconds, () => this.isLost()))) return false;
    await runAdmin(this.cluster.connection, 'accept-history');
    this.secrets.forgetAll();
    return true;
  }

  /** Whether a replica has found that the database lacks something. */
  private async isLost(): Promise<boolean> {
    const client = new pg.Client({ ...this.cluster.connection, connectionTimeoutMillis: 2000, query_timeout: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query('select from database_identity where lost_at is not null');
      return rowCount === 1;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Whether all replicas accept keys. */
  private async isReady(): Promise<boolean> {
    const { urls } = this.replicas;
    if (urls.length < replicaCount) return false;
    const checks = urls.map((url) => this.replicas.call('GET /health/ready', undefined, undefined, url));
    const responses = await Promise.all(checks.map((check) => check.catch(() => undefined)));
    return responses.every((response) => response?.status === 200);
  }

  /** @returns the seconds from the first to the last moment at which a replica wasn't ready */
  private async watchReadiness(isInjecting: () => boolean): Promise<number> {
    let [first, last]: (number | undefined)[] = [];
    while (isInjecting()) {
      if (!(await this.isReady())) last = performance.now();
      first ??= last;
      await delay(100);
    }
    return first === undefined || last === undefined ? 0 : (last - first) / 1000;
  }

  private async countFailovers(isOver: () => boolean): Promise<void> {
    let known: string | undefined;
    while (!isOver()) {
      const name = (await this.cluster.primary())?.name;
      if (name !== undefined && known !== undefined && name !== known) this.failovers += 1;
      known = name ?? known;
      await delay(500);
    }
  }

  /** Checks what must be true once everything works. */
  private async sumUp(): Promise<Omit<ClusterRun, 'minutes'>> {
    const { acceptedRevoked: stale, rejectedLive } = this.traffic.counts;
    const left = this.secrets.revoked.values();
    const useRest = async () => {
      for (const secret of left) await waitAtMost(recoverySeconds, () => this.traffic.use(secret));
    };
    await Promise.all(Array.from({ length: callerCount }, useRest));
    const embeddings = [...this.traffic.embeddings.values()].reduce((sum, count) => sum + count, 0);
    return {
      rows: [...this.rows.values()],
      requests: this.requests,
      ...this.administrator.counts,
      stale,
      rejectedLive,
      undone: this.traffic.counts.acceptedRevoked - stale,
      budgets: this.budgets.count,
      budgetsExceeded: this.budgets.exceeded.length,
      embeddings,
      usageLost: await this.countLostUsage(),
    };
  }

  private async countLostUsage(): Promise<number> {
    const client = new pg.Client(this.cluster.connection);
    await client.connect();
    const { rows } = await client.query<{ id: string; requests: number }>(
      `select api_key_id as id, sum(requests - failures)::int as requests from usage where model = 'mock' group by 1`,
    );
    await client.end();
    const recorded = new Map(rows.map(({ id, requests }) => [id, requests]));
    const lost = [...this.traffic.embeddings].map(([id, count]) => Math.max(0, count - (recorded.get(id) ?? 0)));
    return lost.reduce((sum, count) => sum + count, 0);
  }
}
