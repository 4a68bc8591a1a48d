import { cpuSecondsOf } from './cpu-time.js';
import { type Figures, median, medianRatio } from './rounds.js';
import { quantity } from './row.js';

/** Processes whose processor time is measured; undefined where it can't be. */
export interface MeteredProcesses<Name extends string> {
  /** PIDs; of several processes, their times are added up. */
  contenders: Partial<Record<Name, number | readonly (number | undefined)[] | undefined>>;
  postmaster: number | undefined;
}

/** Processor time per request in microseconds, of the process itself and of PostgreSQL. */
export interface CpuPerRequest {
  own: number;
  database: number;
}

/** Formats the two parts, such as `177 µs + 73 µs in PostgreSQL`. */
export function formatCpu({ own, database }: CpuPerRequest): string {
  return `${quantity(own, 'µs')} + ${quantity(database, 'µs')} in PostgreSQL`;
}

/** Measures processor time next to throughput: on a shared machine, it varies less. */
export class CpuMeter<Name extends string> {
  private readonly figures: { [Part in keyof CpuPerRequest]: Partial<Figures<Name>> } = { own: {}, database: {} };

  constructor(private readonly processes: MeteredProcesses<Name>) {}

  /** Runs a load against a contender, and records its processor time. */
  async measure<Result extends { requests: number }>(name: Name, load: () => Promise<Result>): Promise<Result> {
    const before = this.read(name);
    const result = await load();
    const after = this.read(name);
    for (const part of ['own', 'database'] as const) {
      (this.figures[part][name] ??= []).push(((after[part] - before[part]) * 1e6) / result.requests);
    }
    return result;
  }

  /** The figures of all rounds. */
  roundsOf(part: keyof CpuPerRequest): Figures<Name> {
    return this.figures[part] as Figures<Name>;
  }

  /** Median of all rounds, without PostgreSQL; NaN where it couldn't be measured, such as on macOS. */
  own(name: Name): number {
    return median(this.figures.own[name] ?? []);
  }

  /** Medians of all rounds; undefined where they couldn't be measured. */
  perRequest(name: Name): CpuPerRequest | undefined {
    const cpu = { own: this.own(name), database: median(this.figures.database[name] ?? []) };
    return Number.isNaN(cpu.own + cpu.database) ? undefined : cpu;
  }

  /**
   * Median ratio to another contender over all rounds, without PostgreSQL; undefined where it couldn't be
   * measured.
   */
  ratio(name: Name, other: Name): number | undefined {
    const ratio = medianRatio(this.figures.own[name] ?? [], this.figures.own[other] ?? []);
    return Number.isNaN(ratio) ? undefined : ratio;
  }

  /** Seconds so far; NaN where they can't be measured. */
  private read(name: Name): Record<keyof CpuPerRequest, number> {
    const { contenders, postmaster } = this.processes;
    const read = (pid: number | undefined) => (pid === undefined ? NaN : (cpuSecondsOf(pid) ?? NaN));
    const own = [contenders[name]]
      .flat()
      .map(read)
      .reduce((sum, seconds) => sum + seconds, 0);
    return { own, database: read(postmaster) };
  }
}
