import { availableParallelism } from 'node:os';
import { CpuMeter } from '../cpu-meter.js';
import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { type Figures, measureInRounds, median, medianRatio } from '../rounds.js';
import { figureRow, quantity, ratioRow, type Row } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import type { BalancerSettings } from '../servers/tcp-balancer.js';
import { embeddingsRequests, mockModel } from '../data/embeddings-requests.js';

const connections = 64;
const rounds = 7;
const warmUpSeconds = 2;
const roundSeconds = 2;

const service = new URL('../servers/keycard.js', import.meta.url);
const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  balancer: new URL('../servers/tcp-balancer.js', import.meta.url),
  first: service,
  second: service,
  third: service,
  fourth: service,
};

/** By number of instances. */
type Contender = 'one' | 'two' | 'four';
const counts: Record<Contender, number> = { one: 1, two: 2, four: 4 };

/** Measures one, two and four instances on one PostgreSQL. */
export function measureReplicas({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, upstream, balancer, first, second, third, fourth }) => {
    const instances = [first, second, third, fourth];
    const models = [mockModel((await upstream.run<Listening>({})).url)];
    const settings: KeycardSettings = { database: connection, models };
    const urls: string[] = [];
    for (const instance of instances) urls.push((await instance.run<Listening>(settings)).url);

    const pids = instances.map(({ pid }) => pid);
    const cpu = new CpuMeter<Contender>({
      contenders: { one: pids.slice(0, 1), two: pids.slice(0, 2), four: pids },
      postmaster: await findPostmaster(client),
    });
    const requests = embeddingsRequests(await insertKnownKeys(client));
    const contender = async (name: Contender) => {
      const task: BalancerSettings = { urls: urls.slice(0, counts[name]) };
      const { url } = await balancer.run<Listening>(task);
      const load = (seconds: number) => {
        const task: Load = { url, connections, seconds, requests };
        return generator.run<LoadResult>(task);
      };
      await load(warmUpSeconds);
      return async () => (await cpu.measure(name, () => load(roundSeconds))).requestsPerSecond;
    };
    const figures = await measureInRounds(rounds, {
      one: await contender('one'),
      two: await contender('two'),
      four: await contender('four'),
    });
    return [...throughputRows(figures), ...cpuRows(cpu)];
  });
}

function throughputRows({ one, ...more }: Figures<Contender>): Row[] {
  return (['two', 'four'] as const).map((name) =>
    ratioRow(
      {
        what: `POST /v1/embeddings to an upstream, ${counts[name]} instances`,
        measured: quantity(median(more[name]), 'requests/s'),
        against: `1 instance: ${quantity(median(one), 'requests/s')}`,
        explanation: `Instances behind a TCP load balancer, on one PostgreSQL, with ${connections} connections in all. Load generator, balancer, upstream, PostgreSQL and all instances share ${availableParallelism()} processor cores, so more instances can't be much faster here; CPU time per request shows what they cost.`,
      },
      medianRatio(more[name], one),
      undefined,
    ),
  );
}

function cpuRows(cpu: CpuMeter<Contender>): Row[] {
  const one = cpu.perRequest('one');
  const four = cpu.perRequest('four');
  if (one === undefined || four === undefined) return [];
  const row = (name: 'two' | 'four', part: 'own' | 'database', where: string) => {
    const microseconds = cpu.perRequest(name)?.[part] ?? NaN;
    const comparison = {
      what: `CPU time of a request in ${where}, ${counts[name]} instances`,
      measured: quantity(microseconds, 'µs'),
      against: `1 instance: ${quantity(one[part], 'µs')}`,
      explanation: 'The processor time of all its processes in the same rounds, divided by the requests.',
    };
    return ratioRow(comparison, microseconds / one[part], undefined);
  };
  const cores = availableParallelism();
  return [
    row('two', 'own', 'Keycard'),
    row('four', 'own', 'Keycard'),
    row('two', 'database', 'PostgreSQL'),
    row('four', 'database', 'PostgreSQL'),
    figureRow(
      {
        what: `Capacity of one PostgreSQL with ${cores} cores of its own, extrapolated`,
        explanation: `${cores} cores divided by the CPU time of a request in PostgreSQL with four instances: not measured, and without regard to locks, disks and network.`,
      },
      (cores * 1e6) / four.database,
      'requests/s',
    ),
  ];
}
