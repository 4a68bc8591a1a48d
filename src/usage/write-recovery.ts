import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type AppError, unavailable } from '../common/errors/app-error.js';
import { errorCode } from '../common/errors/error-utils.js';
import { isDatabaseUnavailable } from '../common/errors/database-unavailable.js';
import { fromInteger } from '../common/money/decimal.js';
import { type MeterAmounts, meters } from '../common/rules/meters.js';
import { costDecimals } from '../common/rules/price-rules.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { wasRejected } from '../database/was-rejected.js';
import { type UsageFact, writeUsage } from './write-usage.js';

const maxBacklogLength = 10_000;
const probeIntervalMilliseconds = 1000;

/** Inserts a row like `writeUsage`, then rolls it back. */
const probe = `
  do $$
  begin
    insert into usage (
      organization_id, hour, api_key_id, model, latency_bucket, requests, failures, microseconds
    )
    select id, date_trunc('hour', now(), 'UTC'), id, '', 0, 0, 0, 0 from organizations limit 1;
    raise sqlstate 'KC000';
  exception when sqlstate 'KC000' then null;
  end $$`;

/** Reasons for a rejected write, by SQLSTATE. */
const reasons: Partial<Record<string, string>> = {
  '25006': 'it is read-only',
  '53100': 'its disk is full',
};

/**
 * Recovery from a failed usage write: rejects requests, probes PostgreSQL until a write succeeds, then writes the facts
 * that it rejected. Facts that may have been written are never retried, because no request may count twice.
 */
export class WriteRecovery {
  private readonly logger = new Logger('Usage');
  private readonly stopping = new AbortController();
  private backlog: UsageFact[] = [];
  private missing: UsageFact[] = [];
  private failure: unknown;
  private recovering: Promise<void> | undefined;

  constructor(private readonly connection: DedicatedConnection) {}

  /** The error to reject requests with; undefined while writes succeed. */
  get refusal(): AppError | undefined {
    if (this.recovering === undefined) return undefined;
    const reason = reasons[errorCode(this.failure) ?? ''] ?? 'a write failed';
    const detail = `The database doesn't accept writes (${reason}). Try again shortly.`;
    return unavailable('database-unavailable', detail, 1, this.failure);
  }

  /**
   * Starts recovering after a failed write.
   *
   * @param wasWritten false if the fact is known not to be in the database, so that it can be written later
   */
  reportFailure(fact: UsageFact, error: unknown, wasWritten: false | 'unknown'): void {
    // A request that can't be recorded gets an error response.
    if (wasWritten === false && this.backlog.length < maxBacklogLength) this.backlog.push(asFailure(fact));
    else this.reportMissing(fact, error);
    this.failure = error;
    if (this.recovering !== undefined || this.stopping.signal.aborted) return;
    this.logger.error('A usage write failed; API requests are rejected until writes succeed.', { err: error });
    this.recovering = this.recover();
  }

  /** Stops probing, and tries to write the backlog one last time. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.recovering;
    const facts = this.backlog.splice(0);
    if (facts.length === 0) return;
    await writeUsage(this.connection, facts).catch((error: unknown) => this.logMissing(facts, error));
  }

  private async recover(): Promise<void> {
    while (!(await this.canWrite()) || this.backlog.length > 0) {
      await delay(probeIntervalMilliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
    }
    this.recovering = undefined;
    this.logger.warn('Usage writes succeed again; API requests are accepted.');
  }

  private async canWrite(): Promise<boolean> {
    try {
      await this.connection.query({ text: probe, rowMode: 'array' });
      await this.writeBacklog();
      return true;
    } catch (error) {
      this.failure = error;
      return false;
    }
  }

  private async writeBacklog(): Promise<void> {
    const facts = this.backlog.splice(0);
    if (facts.length === 0) return;
    try {
      await writeUsage(this.connection, facts);
    } catch (error) {
      // A fact that PostgreSQL rejects as invalid must not block recovery.
      if (wasRejected(error) && isDatabaseUnavailable(error)) this.backlog.unshift(...facts);
      else this.logMissing(facts, error);
      throw error;
    }
  }

  /** Facts of a batch fail in the same turn of the event loop, so they share a log line. */
  private reportMissing(fact: UsageFact, error: unknown): void {
    if (this.missing.push(fact) > 1) return;
    setImmediate(() => this.logMissing(this.missing.splice(0), error));
  }

  private logMissing(facts: readonly UsageFact[], error: unknown): void {
    const apiKeyIds = [...new Set(facts.map(({ apiKeyId }) => apiKeyId))].slice(0, 10);
    const totals: MeterAmounts & { requests: number; cost?: string } = { requests: facts.length };
    for (const { name } of meters) {
      const sum = facts.reduce((total, fact) => total + (fact[name] ?? 0), 0);
      if (sum > 0) totals[name] = sum;
    }
    const cost = facts.reduce((total, fact) => total + (fact.cost ?? 0n), 0n);
    if (cost > 0n) totals.cost = fromInteger(cost, costDecimals);
    this.logger.error('Usage may be missing.', { ...totals, apiKeyIds, err: error });
  }
}

function asFailure(fact: UsageFact): UsageFact {
  return fact.outcome === 'success' ? { ...fact, outcome: 'failure' } : fact;
}
