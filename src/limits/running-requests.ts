import type { Logger } from '@nestjs/common';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { wasRejected } from '../database/was-rejected.js';
import type { Admission, Count } from './admission.js';
import type { DatabaseClock } from './database-clock.js';
import { type HeldSum, renewHolds } from './reservation-queries.js';

/** Several attempts per generation, in case one fails. */
const renewalMilliseconds = 4000;
const maxSumsPerStatement = 1000;
/** Periods start on a quarter of an hour in every time zone. */
const quarterMilliseconds = 900_000;
/** Of holds that may or may not have been renewed. They expire, and settling the request corrects what that charges. */
export const lostGeneration = -1;

/** Holds that are renewed together. */
interface RenewedGroup {
  readonly sum: HeldSum;
  readonly counts: Count[];
}

/** The requests of this process that hold something, which is renewed until they end. */
export class RunningRequests {
  /** Not a `Set`, for the reason given at `OpenConnections`. */
  private readonly running: Admission[] = [];
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;

  /** @param inTurn runs a statement when no other is running */
  constructor(
    private readonly inTurn: <Result>(run: (connection: DedicatedConnection) => Promise<Result>) => Promise<Result>,
    private readonly clock: DatabaseClock,
    private readonly logger: Logger,
  ) {}

  get count(): number {
    return this.running.length;
  }

  /** Adds a request once. */
  add(admission: Admission): void {
    if (this.running.includes(admission)) return;
    this.running.push(admission);
    this.timer ??= setInterval(() => this.renewSoon(), renewalMilliseconds).unref();
  }

  /** Resolves once a renewal that has begun is over, so that the generations of holds are known. */
  get renewal(): Promise<void> {
    return this.renewing ?? Promise.resolve();
  }

  /** Returns once what the request holds can be settled. */
  async remove(admission: Admission): Promise<void> {
    const index = this.running.indexOf(admission);
    if (index === -1) return;
    this.running.splice(index, 1);
    if (this.running.length === 0) this.stop();
    await this.renewing;
  }

  /**
   * Renews what is held. What can't be renewed is tried again later.
   *
   * @param currentGeneration whose holds need no renewal
   */
  async renewAll(currentGeneration = Infinity): Promise<void> {
    const groups = groupHolds(this.running, currentGeneration);
    for (let first = 0; first < groups.length; first += maxSumsPerStatement) {
      const part = groups.slice(first, first + maxSumsPerStatement);
      const sums = part.map(({ sum }) => sum);
      const generation = await this.inTurn((connection) => renewHolds(connection, sums)).catch((error: unknown) => {
        this.logger.warn('What running requests reserve could not be renewed.', { err: error });
        return wasRejected(error) ? undefined : lostGeneration;
      });
      if (generation === undefined) return;
      for (const { counts } of part) for (const count of counts) count.generation = generation;
    }
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private renewSoon(): void {
    if (this.renewing !== undefined) return;
    this.renewing = this.renewAll(this.clock.generation).finally(() => (this.renewing = undefined));
  }
}

/** Groups holds by counter, generation and time. */
function groupHolds(admissions: readonly Admission[], currentGeneration: number): RenewedGroup[] {
  const groups = new Map<string, RenewedGroup>();
  for (const { at, counts } of admissions.flatMap((admission) => admission.counted)) {
    for (const count of counts) {
      const { limit, held, generation } = count;
      if (held === 0 || generation >= currentGeneration || generation === lostGeneration) continue;
      const { ownerId, counterMetric, metric, per = '' } = limit;
      const name = [ownerId, counterMetric, per, generation, Math.floor(at / quarterMilliseconds)].join(' ');
      const group = groups.get(name) ?? {
        sum: { ownerId, counterMetric, metric, per, generation, since: at, amount: 0n },
        counts: [],
      };
      groups.set(name, group);
      group.sum.amount += BigInt(held);
      group.counts.push(count);
    }
  }
  return [...groups.values()];
}
