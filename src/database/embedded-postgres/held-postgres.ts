import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../common/errors/error-utils.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import type { Holder } from './holder.js';
import { interruptPostmaster, stopPostmaster } from './postmaster.js';
import type { ServerLog } from './server-log.js';

/** How to restart a server that ends unexpectedly. */
export interface Supervision {
  /** Reports restarts. */
  logger: Record<'warn' | 'error', (fields: object, message: string) => void>;
  /** Called once, with a reason for the operator, if the server can't be kept running. */
  onGiveUp: (reason: string) => void;
  /** Consecutive failed attempts before giving up. */
  attempts?: number;
  /** Pause before the second attempt, doubled for each further one; the first attempt is immediate. */
  pauseMilliseconds?: number;
  /** Uptime that resets the number of attempts. */
  stableMilliseconds?: number;
}

/** A server that this process holds. */
export interface HeldServer {
  pid: number;
  connection: DatabaseConnection;
  holder: Holder;
}

interface Restart {
  cluster: string;
  log: ServerLog;
  /** Holds the server again, starting it if needed. */
  hold: () => Promise<HeldServer>;
}

/** Keeps a server running and limits the size of its log, until `stop`. */
export class HeldPostgres {
  private readonly stopping = new AbortController();
  private readonly stopRotation: () => void;
  private restoring: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;
  private failures = 0;

  constructor(
    private server: HeldServer,
    private readonly restart: Restart,
    private readonly supervision: Supervision | undefined,
  ) {
    this.stopRotation = restart.log.keepBounded();
    process.once('exit', this.interrupt);
    this.watch();
  }

  /** Stops the server, even during a restart. */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private readonly interrupt = () => interruptPostmaster(this.restart.cluster, this.server.pid);

  private async end(): Promise<void> {
    this.stopping.abort();
    process.removeListener('exit', this.interrupt);
    await this.restoring;
    this.stopRotation();
    // Holds the lock until the server has ended, so that no other process takes over a stopping server.
    await stopPostmaster(this.restart.cluster, this.server.pid);
    await this.server.holder.release();
  }

  private watch(): void {
    const { supervision } = this;
    if (supervision === undefined) return;
    const since = performance.now();
    void this.server.holder.lost.then(() => {
      if (this.stopping.signal.aborted) return;
      if (performance.now() - since >= (supervision.stableMilliseconds ?? 60_000)) this.failures = 0;
      this.restoring = this.restore(supervision);
    });
  }

  private async restore({ logger, onGiveUp, attempts = 5, pauseMilliseconds = 500 }: Supervision): Promise<void> {
    const { file } = this.restart.log;
    let reason = 'It ended shortly after each start.';
    logger.error({ file }, 'The embedded PostgreSQL closed its connections; restarting it if it stopped.');
    while (this.failures < attempts) {
      const pause = this.failures === 0 ? 0 : pauseMilliseconds * 2 ** (this.failures - 1);
      this.failures++;
      await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      try {
        const { pid } = this.server;
        this.server = await this.restart.hold();
        // It recovered without a restart, or only the holder's session ended.
        if (this.server.pid === pid) this.failures = 0;
        logger.warn({ pid: this.server.pid }, 'The embedded PostgreSQL is running again.');
        return this.watch();
      } catch (error) {
        reason = errorMessage(error);
        logger.error({ attempt: this.failures, reason }, 'The embedded PostgreSQL could not be restarted.');
      }
    }
    onGiveUp(`The embedded PostgreSQL cannot be kept running: ${reason} Log: ${file}`);
  }
}
