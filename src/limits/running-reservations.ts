import type { Logger } from '@nestjs/common';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import type { Admission, Reservation } from './admission.js';
import { type RenewedSum, renewReservations } from './reservation-queries.js';

/** Reservations count for at least 150 s; see the function `limit_generation`. */
const renewalMilliseconds = 60_000;
const maxSumsPerStatement = 1000;
const dayMilliseconds = 86_400_000;

/** Reservations that are renewed together. */
interface RenewedGroup extends RenewedSum {
  readonly reservations: Reservation[];
}

/** The requests of this process that hold a reservation, which is renewed until they end. */
export class RunningReservations {
  /** Not a `Set`, for the reason given at `OpenConnections`. */
  private readonly running: Admission[] = [];
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;

  /** @param inTurn runs a statement when no other is running */
  constructor(
    private readonly inTurn: <Result>(run: (connection: DedicatedConnection) => Promise<Result>) => Promise<Result>,
    private readonly logger: Logger,
  ) {}

  get count(): number {
    return this.running.length;
  }

  add(admission: Admission): void {
    this.running.push(admission);
    const renew = () => {
      this.renewing = this.renewAll();
    };
    this.timer ??= setInterval(renew, renewalMilliseconds).unref();
  }

  /** Returns once a renewal that has begun is over, so that the reservation can be settled. */
  async remove(admission: Admission): Promise<void> {
    const index = this.running.indexOf(admission);
    if (index === -1) return;
    this.running.splice(index, 1);
    if (this.running.length === 0) this.stop();
    await this.renewing;
  }

  /** Those that can't be renewed are tried again later. */
  async renewAll(): Promise<void> {
    const groups = groupReservations(this.running);
    try {
      for (let first = 0; first < groups.length; first += maxSumsPerStatement) {
        const part = groups.slice(first, first + maxSumsPerStatement);
        const generation = await this.inTurn((connection) => renewReservations(connection, part));
        for (const { reservations } of part)
          for (const reservation of reservations) reservation.generation = generation;
      }
    } catch (error) {
      this.logger.warn('Reservations could not be renewed.', { err: error });
    }
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Groups reservations by key, generation and UTC day, which is the shortest period of a budget. */
function groupReservations(admissions: readonly Admission[]): RenewedGroup[] {
  const groups = new Map<string, RenewedGroup>();
  for (const { keyId, organizationId, reservation } of admissions) {
    if (reservation === undefined) continue;
    const { reservedAt, generation, held } = reservation;
    const name = `${keyId} ${generation} ${Math.floor(reservedAt / dayMilliseconds)}`;
    let group = groups.get(name);
    if (group === undefined) {
      group = { keyId, organizationId, reservedAt, generation, tokens: 0, pages: 0, reservations: [] };
      groups.set(name, group);
    }
    group.tokens += held.tokens;
    group.pages += held.pages;
    group.reservations.push(reservation);
  }
  return [...groups.values()];
}
