import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import { median } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { measureThroughput, type Throughput } from '../throughput.js';

const connections = 64;
const rounds = 7;

const service = new URL('../servers/keycard.js', import.meta.url);
/** Of each kind, because the same code may cost one process 5 % more than another. */
const processes = ['1', '2', '3'] as const;
const kinds = ['with', 'without'] as const;
type Kind = (typeof kinds)[number];
type Contender = `${Kind}-${(typeof processes)[number]}`;
const contenders = kinds.flatMap((kind) => processes.map((number): Contender => `${kind}-${number}`));

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  ...(Object.fromEntries(contenders.map((name) => [name, service])) as Record<Contender, URL>),
};

/** Measures what collecting metrics costs a request that does little else. */
export function measureMetricsCost({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, ...services }) => {
    const keys = await insertKnownKeys(client);
    const requests = keys.map((key) => ({ path: '/v1/models', headers: { authorization: `Bearer ${key}` } }));
    const loads: Partial<Record<Contender, { url: string; requests: typeof requests }>> = {};
    for (const name of contenders) {
      const settings: KeycardSettings = { database: connection, hasMetrics: kindOf(name) === 'with' };
      loads[name] = { url: (await services[name].run<Listening>(settings)).url, requests };
    }
    const pids = Object.fromEntries(contenders.map((name) => [name, services[name].pid]));
    const meters = { contenders: pids, postmaster: undefined };
    const measured = await measureThroughput<Contender>(generator, { loads, processes: meters, connections, rounds });
    return toRows(measured);
  });
}

function kindOf(name: Contender): Kind {
  return name.startsWith('without') ? 'without' : 'with';
}

function toRows({ figures, cpu }: Throughput<Contender>): Row[] {
  const mean = (kind: Kind, figureOf: (name: Contender) => number) =>
    contenders.filter((name) => kindOf(name) === kind).reduce((sum, name) => sum + figureOf(name), 0) /
    processes.length;
  const row = (
    [what, unit]: readonly [what: string, unit: 'requests/s' | 'µs'],
    figureOf: (name: Contender) => number,
    target: { min: number } | { max: number },
  ) => {
    const [measured, plain] = [mean('with', figureOf), mean('without', figureOf)];
    const comparison = {
      what: `${what} with METRICS_PORT, ${connections} connections`,
      measured: quantity(measured, unit),
      against: `without: ${quantity(plain, unit)}`,
      explanation: `${processes.length} processes that collect metrics against as many that don't; the means of their medians.`,
    };
    return ratioRow(comparison, measured / plain, target);
  };
  const throughput = row(['GET /v1/models', 'requests/s'], (name) => median(figures[name]), { min: 0.97 });
  if (Number.isNaN(mean('with', (name) => cpu.own(name)))) return [throughput];
  return [throughput, row(['CPU time of GET /v1/models', 'µs'], (name) => cpu.own(name), { max: 1.03 })];
}
