import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { unavailable } from '../../common/errors/app-error.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import { ServiceConfig } from '../../config/service-config.js';
import { MetricsService } from '../../metrics/metrics.service.js';
import { configureSession, type SessionGuard, StandbyError } from '../prepare-session.js';
import { type ConfirmedBeat, HistoryConnection } from './history-connection.js';
import { LostHistoryError, lostHistory, notSettled, UnconfirmedPrimaryError } from './history-errors.js';
import { HistoryFile } from './history-file.js';
import { lookAtHistory, type RememberedRow } from './history-queries.js';

/** Between two rows of the history. */
const beatMilliseconds = 1000;
/** Between two attempts while something is wrong or has just changed. */
const retryMilliseconds = 100;
/** How long a change waits until its server may confirm changes. */
const settlingPatienceMilliseconds = 4000;

type HistoryConfig = Pick<
  ServiceConfig,
  'database' | 'historyFile' | 'primaryLeaseSeconds' | 'connectionMaxAgeSeconds'
>;

/** The server process that a connection leads to. Times are from `performance.now()`. */
interface Session {
  readonly server: string;
  readonly preparedAt: number;
}

/** The newest row that was confirmed. */
interface Confirmation {
  readonly server: string;
  readonly sentAt: number;
  /** From then on, no replica believes an earlier primary. */
  readonly settledAt: number;
}

/**
 * Recognizes a database that lost confirmed changes, such as an old primary that leads again after a failover.
 *
 * Replicas add a row per second to `database_history`, and remember the newest one that PostgreSQL has confirmed. A
 * database without that row has gone back in time. Changes are only made on a server that has confirmed a row of its own,
 * so a server that lacks a change also lacks a row that replicas remember.
 *
 * With `PRIMARY_LEASE_SECONDS`, a primary is believed only for that long after its last confirmed row, and a new server
 * makes no changes for that long. When it confirms the first one, no replica believes an earlier primary that was cut off
 * without noticing.
 */
@Injectable()
export class DatabaseHistory implements SessionGuard, OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly connection: HistoryConnection;
  private readonly file: HistoryFile | undefined;
  private readonly sessions = new WeakMap<ClientBase, Session>();
  private row: RememberedRow | undefined;
  private confirmation: Confirmation | undefined;
  private isLost = false;
  private running: Promise<void> | undefined;
  private isStopping = false;
  /** Ends the pause before the next row. */
  private wake: () => void = () => undefined;
  /** Resolve after the next row. */
  private waiting: (() => void)[] = [];

  constructor(
    @Inject(ServiceConfig) private readonly config: HistoryConfig,
    metrics?: MetricsService,
  ) {
    this.connection = new HistoryConnection(config.database, config.connectionMaxAgeSeconds);
    this.file = config.historyFile === undefined ? undefined : new HistoryFile(config.historyFile, this.logger);
    this.row = this.file?.read();
    metrics?.add(
      {
        kind: 'gauge',
        name: 'keycard_database_history_lost',
        help: '1 while the database lacks changes that were confirmed.',
        ofInstances: 'max',
        read: () => Number(this.isLost),
      },
      {
        kind: 'gauge',
        name: 'keycard_database_unconfirmed_seconds',
        help: 'Time since PostgreSQL last confirmed a commit, in seconds.',
        ofInstances: 'max',
        read: () => (this.confirmation === undefined ? 0 : (performance.now() - this.confirmation.sentAt) / 1000),
      },
    );
  }

  /** The row that the database must have; undefined until one was confirmed. */
  get remembered(): RememberedRow | undefined {
    return this.row;
  }

  /**
   * How connections commit what requests write. They don't wait for the disk or a standby: a crash of the database server
   * loses up to half a second of it, one of Keycard nothing. With `PRIMARY_LEASE_SECONDS`, not even a failover does.
   */
  get commitSetting(): string {
    return `set synchronous_commit = ${this.config.primaryLeaseSeconds === undefined ? 'off' : 'on'}`;
  }

  onModuleInit(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.wake();
    this.connection.discard();
    await this.running;
  }

  async prepare(client: ClientBase, settings: string): Promise<void> {
    const { verdict, server } = await lookAtHistory(client, this.row);
    if (verdict === 'standby') throw new StandbyError();
    if (verdict === 'lost' || server !== this.confirmation?.server) this.checkSoon();
    if (verdict === 'lost') throw new LostHistoryError();
    this.sessions.set(client, { server, preparedAt: performance.now() });
    await configureSession(client, settings);
  }

  isOutdated(client: ClientBase): boolean {
    const session = this.sessions.get(client);
    if (session === undefined || this.confirmation === undefined) return false;
    const { server, sentAt } = this.confirmation;
    return session.server !== server && session.preparedAt < sentAt;
  }

  assertUsable(): void {
    if (this.isLost) throw new LostHistoryError();
    const { primaryLeaseSeconds } = this.config;
    if (primaryLeaseSeconds === undefined) return;
    const { sentAt = -Infinity } = this.confirmation ?? {};
    if (performance.now() - sentAt > primaryLeaseSeconds * 1000) throw new UnconfirmedPrimaryError(primaryLeaseSeconds);
  }

  /** @throws AppError 503 that says what an operator can do */
  check(): void {
    try {
      this.assertUsable();
    } catch (error) {
      throw unavailable('database-unavailable', errorMessage(error), 1, error);
    }
  }

  /** Doesn't wait for the next second to find out what the database has. */
  checkSoon(): void {
    this.wake();
  }

  /**
   * Waits until the server of a connection may confirm changes.
   *
   * @throws UnusableServerError if the database can't be used, AppError 503 if the server isn't ready in time
   */
  async settle(client: ClientBase): Promise<void> {
    const deadline = performance.now() + settlingPatienceMilliseconds;
    while (!this.isSettled(client)) {
      if (this.isLost) throw new LostHistoryError();
      if (performance.now() > deadline || this.isStopping || this.isOutdated(client)) throw notSettled();
      this.checkSoon();
      await new Promise<void>((resolve) => void this.waiting.push(resolve));
    }
  }

  private isSettled(client: ClientBase): boolean {
    const { server, settledAt = Infinity } = this.confirmation ?? {};
    return server !== undefined && this.sessions.get(client)?.server === server && performance.now() >= settledAt;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const isCalm = await this.beat();
      this.proceed();
      await this.pause(isCalm ? beatMilliseconds : retryMilliseconds);
    }
    this.proceed();
  }

  private proceed(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Waits until the next row is due. `wake` shortens the pause to that between two attempts. */
  private async pause(milliseconds: number): Promise<void> {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, milliseconds).unref();
      this.wake = () => {
        clearTimeout(timer);
        const remaining = startedAt + retryMilliseconds - performance.now();
        if (this.isStopping || remaining <= 0) resolve();
        else timer = setTimeout(resolve, remaining).unref();
      };
      if (this.isStopping) this.wake();
    });
    this.wake = () => undefined;
  }

  /** @returns whether nothing has to be checked before the next second */
  private async beat(): Promise<boolean> {
    try {
      const beat = await this.connection.add(this.row);
      if (beat?.verdict === 'lost') {
        await this.lose();
        return false;
      }
      // Rows of an earlier server don't show that this one may be believed.
      return beat?.isOfServer === true && (await this.confirm(beat));
    } catch (error) {
      if (!this.isStopping) this.logger.debug({ message: 'PostgreSQL confirmed no row of its history.', err: error });
      return false;
    }
  }

  private async confirm({ server, sentAt, servingMilliseconds, ...row }: ConfirmedBeat): Promise<boolean> {
    const { databaseId, generation, beat, token } = row;
    if (this.row !== undefined && this.row.databaseId !== databaseId) {
      this.logger.warn('Another database than before is used. Nothing is known about its history.');
    }
    this.row = { databaseId, generation, beat, token };
    // Before a change is confirmed, so that a replica that is killed right after still knows.
    await this.file?.write(this.row);
    const leaseMilliseconds = (this.config.primaryLeaseSeconds ?? 0) * 1000;
    const unsettledMilliseconds = servingMilliseconds === null ? 0 : leaseMilliseconds - servingMilliseconds;
    this.confirmation = { server, sentAt, settledAt: performance.now() + unsettledMilliseconds };
    if (this.isLost) this.logger.warn('The database has the changes that were confirmed, or its history was accepted.');
    this.isLost = false;
    return unsettledMilliseconds <= 0;
  }

  private async lose(): Promise<void> {
    if (!this.isLost) this.logger.error(lostHistory);
    this.isLost = true;
    // Replicas that never saw the missing row can't find out themselves.
    await this.connection.reportLoss();
  }
}
