import { CpuMeter, type MeteredProcesses } from './cpu-meter.js';
import type { Child } from './processes/child.js';
import type { Load, LoadResult } from './processes/load-generator.js';
import { type Figures, measureInRounds } from './rounds.js';

const defaultWarmUpSeconds = 2;
const roundSeconds = 2;
const noProcesses = { contenders: {}, postmaster: undefined };

export interface Throughput<Name extends string> {
  /** Requests per second. */
  figures: Figures<Name>;
  cpu: CpuMeter<Name>;
}

interface ThroughputSettings<Name extends string> {
  loads: Partial<Record<Name, Pick<Load, 'url' | 'requests'>>>;
  /** Whose processor time is measured, too. */
  processes?: MeteredProcesses<Name>;
  connections: number;
  rounds: number;
  /** Before the rounds, for each contender. */
  warmUpSeconds?: number;
}

/** Sends each contender its requests in interleaved rounds. */
export async function measureThroughput<Name extends string>(
  generator: Child,
  {
    loads,
    processes = noProcesses,
    connections,
    rounds,
    warmUpSeconds = defaultWarmUpSeconds,
  }: ThroughputSettings<Name>,
): Promise<Throughput<Name>> {
  const entries = Object.entries(loads) as [Name, Pick<Load, 'url' | 'requests'>][];
  const generate = (load: Pick<Load, 'url' | 'requests'>, seconds: number) =>
    generator.run<LoadResult>({ ...load, connections, seconds } satisfies Load);
  for (const [, load] of entries) await generate(load, warmUpSeconds);
  const cpu = new CpuMeter(processes);
  const contenders = entries.map(([name, load]) => {
    const measure = () => cpu.measure(name, () => generate(load, roundSeconds));
    return [name, async () => (await measure()).requestsPerSecond];
  });
  const figures = await measureInRounds(rounds, Object.fromEntries(contenders) as Record<Name, () => Promise<number>>);
  return { figures, cpu };
}
