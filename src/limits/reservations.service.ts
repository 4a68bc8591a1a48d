import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher } from '../common/continuous-batcher.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import {
  type Admission,
  admissionSettings,
  DecisionReader,
  type Decisions,
  limits,
  type Reservation,
  statesAfter,
} from './admission.js';
import { limitExceeded } from './limit-exceeded.js';

const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;
/** Reservations count for at least 150 s; see the function `limit_generation`. */
const renewalMilliseconds = 60_000;

/** A request whose reserved amounts change. */
interface Change {
  readonly admission: Admission;
  readonly held: Reservation;
  readonly tokens: number;
  readonly pages: number;
  /** Whether to hold these amounts or nothing, instead of as much of them as is left. */
  readonly isExact: boolean;
}

type Changed = Pick<Admission, 'states' | 'reservation'>;

const changeReservations = `
  select admit_requests(array_agg(
    row (position, "keyId", "organizationId", 0, tokens, pages, "isExact", generation, "heldTokens", "heldPages")
      ::admission_ask order by position
  ))
  from json_to_recordset($1::json) as change (
    position integer, "keyId" uuid, "organizationId" uuid, tokens bigint, pages bigint, "isExact" boolean,
    generation bigint, "heldTokens" bigint, "heldPages" bigint
  )`;

/** Changes what running requests reserve, and renews it while they run. */
@Injectable()
export class ReservationsService implements OnApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private readonly connection: DedicatedConnection;
  private readonly batcher: ContinuousBatcher<Change, DedicatedConnection, Changed>;
  /** Not a `Set`, for the reason given at `OpenConnections`. */
  private readonly running: Admission[] = [];
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;

  constructor(config: ServiceConfig) {
    this.connection = new DedicatedConnection(config.database, {
      applicationName: 'keycard reservations',
      timeoutMilliseconds: deadlineMilliseconds,
      maxAgeSeconds: config.connectionMaxAgeSeconds,
      setup: `${admissionSettings}; set statement_timeout = ${deadlineMilliseconds}`,
    });
    this.batcher = new ContinuousBatcher({
      lanes: [this.connection],
      maxBatchSize,
      maxQueueLength,
      deadlineMilliseconds,
      execute: changeAll,
    });
  }

  /** Renews what a request reserves until it ends. */
  start(admission: Admission): void {
    this.running.push(admission);
    const renew = () => {
      this.renewing = this.renewAll();
    };
    this.timer ??= setInterval(renew, renewalMilliseconds).unref();
  }

  /** Stops renewing what an admitted request reserves, and returns it. */
  async end(admission: Admission): Promise<Reservation> {
    const index = this.running.indexOf(admission);
    if (index !== -1) this.running.splice(index, 1);
    if (this.running.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    await this.renewing;
    if (admission.reservation === undefined) throw new Error('The request was not admitted.');
    return admission.reservation;
  }

  /**
   * Reserves exactly what a request will use, before it uses anything.
   *
   * @param usage is marked as limited if that exceeds a limit
   * @throws AppError 429 if that exceeds a limit, 503 if it can't be decided
   */
  async reserveExactly(
    admission: Admission | undefined,
    uses: { tokens?: number; pages?: number },
    usage: { isLimited?: true },
  ): Promise<void> {
    const held = admission?.reservation;
    if (admission === undefined || held === undefined) return;
    const tokens = limits(admission, 'tokens') ? (uses.tokens ?? held.tokens) : held.tokens;
    const pages = limits(admission, 'pages') ? (uses.pages ?? held.pages) : held.pages;
    if (tokens <= held.tokens && pages <= held.pages) return;
    const { states, reservation } = await this.change({ admission, held, tokens, pages, isExact: true });
    if (reservation === undefined) {
      usage.isLimited = true;
      const withoutIt = { ...admission, states: statesAfter({ states, granted: held }, { tokens: 0, pages: 0 }) };
      const reason = limitExceeded(withoutIt, { requests: 0, tokens, pages });
      throw reason ?? new Error('A request was rejected without a reason.');
    }
    admission.reservation = reservation;
  }

  /** Renews the reservations of all running requests. Those that can't be renewed are tried again later. */
  async renewAll(): Promise<void> {
    const renew = async (admission: Admission) => {
      const held = admission.reservation;
      if (held === undefined) return;
      const { tokens, pages } = held;
      const { reservation } = await this.change({ admission, held, tokens, pages, isExact: false });
      // A request that reserved more in the meantime has renewed its reservation itself.
      if (reservation !== undefined && admission.reservation === held) admission.reservation = reservation;
    };
    const results = await Promise.allSettled(this.running.map(renew));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined)
      this.logger.warn('Reservations could not be renewed.', { err: failure.reason as unknown });
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.connection.close();
  }

  private async change(change: Change): Promise<Changed> {
    try {
      return await this.batcher.submit(change);
    } catch (error) {
      throw toUnavailable(error, "The database is unavailable: limits can't be checked. Try again shortly.");
    }
  }
}

async function changeAll(connection: DedicatedConnection, changes: Change[]): Promise<Changed[]> {
  const rows = changes.map(({ admission, held, tokens, pages, isExact }, position) => {
    const { keyId, organizationId } = admission;
    const { generation, tokens: heldTokens, pages: heldPages } = held;
    return { position, keyId, organizationId, tokens, pages, isExact, generation, heldTokens, heldPages };
  });
  const [[decisions] = []] = await connection.query<[Decisions]>({
    name: 'change-reservations',
    text: changeReservations,
    values: [JSON.stringify(rows)],
    rowMode: 'array',
  });
  if (decisions === undefined) throw new Error('PostgreSQL returned no decisions.');
  const reader = new DecisionReader(decisions);
  return changes.map(({ admission: { keyId, organizationId }, ...change }, position) => ({
    states: reader.statesOf(keyId, organizationId),
    reservation: reader.reservationOf(position, change),
  }));
}
