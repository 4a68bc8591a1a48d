import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Limit } from '../../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../../factories/api-keys.js';
import { setLimits } from '../../factories/limits.js';
import { createMember, type Member } from '../../factories/organizations.js';
import { call } from '../../setup/call.js';
import type { SeenResponse } from '../../setup/generation-request.js';
import type { Bill } from '../../setup/generation-upstream/bill.js';
import { startGenerationUpstream } from '../../setup/generation-upstream/generation-upstream.js';
import { makeTemporaryFolder } from '../../setup/temporary-folder.js';
import { testJwtSecret, type TestApp } from '../../setup/test-app.js';
import { toUrl } from '../../setup/test-database.js';
import { waitFor } from '../../setup/wait-for.js';
import { runService, type ServiceProcess } from '../../start/service-process.js';
import { modelsFile } from './models.js';
import { type ChaosRequest, sampleRequests, sendChaos } from './traffic.js';

/** A key, with the member who may change it. */
export interface ChaosKey extends CreatedKey {
  readonly member: Member;
}

/** A request, and what its client saw. */
export interface ChaosOutcome {
  readonly request: ChaosRequest;
  readonly key: ChaosKey;
  readonly seen: SeenResponse;
}

export interface ChaosRun {
  readonly keys: readonly ChaosKey[];
  readonly outcomes: readonly ChaosOutcome[];
  readonly bills: readonly Bill[];
}

interface ChaosSize {
  readonly requests: number;
  /** How many are sent at a time. */
  readonly atOnce: number;
  readonly keysPerOrganization: number;
  /** Between tokens, in milliseconds. */
  readonly delays: readonly number[];
}

const maxAttempts = 4;

/** The limits of a key: enough for a part of its requests. */
function limitsOfKey(requests: number): Limit[] {
  return [
    { metric: 'cost', per: 'day', max: String(requests * 1_500_000) },
    { metric: 'tokens', per: 'month', max: requests * 300 },
    { metric: 'tokens', per: 'week', max: requests * 200, models: ['mini'] },
    { metric: 'requests', per: 'day', max: requests * 2, notifyAt: [10, 50] },
    { metric: 'concurrency', max: 40 },
  ];
}

function limitsOfOrganization(requests: number, atOnce: number): Limit[] {
  return [
    { metric: 'cost', per: 'month', max: String(requests * 1_000_000), notifyAt: [50, 80, 100] },
    { metric: 'tokens', per: 'minute', max: requests * 5000 },
    { metric: 'concurrency', max: Math.ceil(atOnce / 3), models: ['large'] },
  ];
}

/**
 * Three replicas serve requests of two organizations whose keys have nested limits. Clients leave at any byte, upstreams
 * fail and fall silent, a replica is killed and replaced, and limits are changed, all at once.
 */
export async function runChaos(
  service: TestApp,
  { requests, atOnce, keysPerOrganization, delays }: ChaosSize,
): Promise<ChaosRun> {
  const [main, failing, silent] = await Promise.all([
    startGenerationUpstream(),
    startGenerationUpstream({ fail: { status: 500, message: 'No.' } }),
    startGenerationUpstream({ isSilent: true }),
  ]);
  const upstreams = [main, failing, silent];
  const folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'models.yaml');
  const urls = { main: main.baseUrl, failing: failing.baseUrl, silent: silent.baseUrl };
  await writeFile(file, modelsFile(urls));
  const start = () =>
    runService({
      DATABASE_URL: toUrl(service.database),
      JWT_SECRET: testJwtSecret,
      MODELS_FILE: file,
      LOG_LEVEL: 'fatal',
      LIMIT_WAIT_SECONDS: '2',
      DRAIN_SECONDS: '1',
    });
  const replicas = [start(), start(), start()];
  try {
    const keys = await createKeys(service, { requests, atOnce, keysPerOrganization });
    const chaos = new Chaos(service, keys, replicas, start);
    const outcomes = await chaos.send(sampleRequests(requests, keys.length, delays), atOnce);
    await waitFor(() => upstreams.every((upstream) => upstream.countOpen() === 0));
    await stopAll(replicas, 'SIGTERM');
    return { keys, outcomes, bills: upstreams.flatMap(({ bills }) => bills) };
  } finally {
    await stopAll(replicas, 'SIGKILL');
    await Promise.all(upstreams.map((upstream) => upstream.stop()));
    await folder.remove();
  }
}

async function stopAll(replicas: readonly ServiceProcess[], signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  for (const { child } of replicas) child.kill(signal);
  await Promise.all(replicas.map(({ exited }) => exited));
}

async function createKeys(
  service: TestApp,
  { requests, atOnce, keysPerOrganization }: Omit<ChaosSize, 'delays'>,
): Promise<ChaosKey[]> {
  const members = [await createMember(service), await createMember(service)];
  const keys: ChaosKey[] = [];
  for (const member of members) {
    await setLimits(service, { organizationId: member.organizationId }, limitsOfOrganization(requests / 2, atOnce));
    for (let index = 0; index < keysPerOrganization; index++) {
      const key = await createApiKey(service, member);
      // Every third key is only limited by its organization.
      const limits = index % 3 === 2 ? [] : limitsOfKey(Math.round(requests / 2 / keysPerOrganization));
      if (limits.length > 0) await setLimits(service, { keyId: key.id }, limits);
      keys.push({ ...key, member });
    }
  }
  return keys;
}

class Chaos {
  private sent = 0;

  constructor(
    private readonly service: TestApp,
    private readonly keys: readonly ChaosKey[],
    private readonly replicas: ServiceProcess[],
    private readonly start: () => ServiceProcess,
  ) {}

  async send(requests: readonly ChaosRequest[], atOnce: number): Promise<ChaosOutcome[]> {
    await Promise.all(this.replicas.map(({ ready }) => ready));
    const disturbances = new Map<number, () => Promise<unknown>>([
      [Math.floor(requests.length * 0.3), () => this.killReplica()],
      [Math.floor(requests.length * 0.4), () => this.raiseLimits()],
      [Math.floor(requests.length * 0.6), () => this.replaceLimits()],
    ]);
    const outcomes: ChaosOutcome[] = [];
    const disturbing: Promise<unknown>[] = [];
    const waiting = requests.map((request) => ({ request, attempt: 1 })).reverse();
    const work = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { request, attempt } = next;
        const disturb = disturbances.get(this.sent);
        this.sent += 1;
        if (disturb !== undefined) disturbing.push(disturb());
        const key = this.keys[request.key];
        const url = await this.replicas[request.replica]?.ready;
        if (key === undefined || url === undefined) continue;
        const seen = await sendChaos(request, url, key.key, `${key.id} ${this.sent}`);
        outcomes.push({ request, key, seen });
        // Clients try again later when they're told to.
        const isRetried = seen.status === 429 && seen.text.includes('Retry in') && attempt < maxAttempts;
        if (isRetried) waiting.unshift({ request, attempt: attempt + 1 });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await Promise.all(disturbing);
    return outcomes;
  }

  private async killReplica(): Promise<void> {
    const [first] = this.replicas;
    first?.child.kill('SIGKILL');
    await first?.exited;
    this.replicas[0] = this.start();
  }

  /** Budgets of a key and an organization grow, one of them for a time. */
  private async raiseLimits(): Promise<void> {
    const [key] = this.keys;
    if (key === undefined) return;
    const until = new Date(Date.now() + 86_400_000).toISOString();
    await this.change(`PATCH /api-keys/${key.id}`, key, (limits) =>
      limits.map((limit) => (limit.metric === 'cost' ? { ...limit, increase: { by: limit.max, until } } : limit)),
    );
    await this.change('PATCH /organizations/current', key, (limits) =>
      limits.map((limit) =>
        limit.metric === 'cost' ? { ...limit, max: (Number(limit.max) * 1.2).toFixed(9) } : limit,
      ),
    );
  }

  /** A limit is removed and added again, while requests hold a part of it. */
  private async replaceLimits(): Promise<void> {
    const [, key] = this.keys;
    if (key === undefined) return;
    const route = `PATCH /api-keys/${key.id}`;
    let removed: RestLimit[] = [];
    await this.change(route, key, (limits) => {
      removed = limits;
      return limits.filter(({ models }) => models === undefined);
    });
    await this.change(route, key, () => removed);
  }

  private async change(route: string, { member }: ChaosKey, edit: (limits: RestLimit[]) => RestLimit[]): Promise<void> {
    const { token } = member;
    const read = await call(this.service.url, route.replace('PATCH', 'GET'), { token });
    if (read.status !== 200) throw new Error(`Limits could not be read: ${read.text}`);
    const limits = (read.body as { limits: (RestLimit & Record<string, unknown>)[] }).limits.map(
      ({ metric, per, max, models, increase, notifyAt }) => ({ metric, per, max, models, increase, notifyAt }),
    );
    const response = await call(this.service.url, route, { token, body: { limits: edit(limits) } });
    if (response.status !== 200) throw new Error(`Limits could not be changed: ${response.text}`);
  }
}

/** A limit as the API has it. */
type RestLimit = Omit<Partial<Limit>, 'max'> & { metric: Limit['metric']; max: number | string };
