import { hash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher } from '../common/continuous-batcher.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { DatabaseHistory } from '../database/history/database-history.service.js';
import { UnusableServerError } from '../database/prepare-session.js';
import { type AdmissionDemand, admissionSettings } from '../limits/admission.js';
import { RememberedLimits } from '../limits/remembered-limits.js';
import { generateApiKey, isWellFormedApiKey } from './api-key.token.js';
import { findKeys, findKeysAndAdmit, type KeyedRequest, type LiveKey } from './live-keys.js';

/** A second connection gains nothing: one larger batch costs less than two (bench section `verifier`). */
const connections = 1;
const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;

const nothing: AdmissionDemand = { uses: undefined, address: null };

/** How many keys with limits are remembered, to choose the statement. */
const maxRememberedHashes = 100_000;

/**
 * One generic plan, because planning takes longer than the query. The plan outlives the statistics it was made with, so
 * it must not become a scan of all keys. A bitmap gains nothing if each hash finds one row.
 */
const planOnce = `set enable_bitmapscan = off; ${admissionSettings}`;

/**
 * Verifies API keys. Nothing is cached: each call is served by a query that starts after the call, so a key is rejected
 * as soon as its deletion is committed. Waiting calls share a query.
 */
@Injectable()
export class ApiKeyVerifierService implements OnApplicationShutdown {
  private readonly lanes: DedicatedConnection[];
  /** Hashes of keys that had limits when they were last used. The decision never depends on it. */
  private readonly limited = new Set<string>();
  private readonly remembered = new RememberedLimits();
  /** Whether limits admitted all requests of the last batch that had any. */
  private allFit = true;
  private readonly batcher: ContinuousBatcher<KeyedRequest, DedicatedConnection, LiveKey | undefined>;

  constructor(
    config: ServiceConfig,
    private readonly history: DatabaseHistory,
  ) {
    const options = {
      applicationName: 'keycard api-key verifier',
      timeoutMilliseconds: deadlineMilliseconds,
      maxAgeSeconds: config.connectionMaxAgeSeconds,
      setup: `${planOnce}; ${history.commitSetting}; set statement_timeout = ${deadlineMilliseconds}`,
    };
    this.lanes = Array.from({ length: connections }, () => {
      return new DedicatedConnection(config.database, options, history);
    });
    this.batcher = new ContinuousBatcher({
      lanes: this.lanes,
      maxBatchSize,
      maxQueueLength,
      deadlineMilliseconds,
      execute: (connection, requests) => this.execute(connection, requests),
    });
  }

  get batches(): Pick<ContinuousBatcher<unknown, unknown, unknown>, 'batchCount' | 'itemCount' | 'waitingCount'> {
    return this.batcher;
  }

  /**
   * Verifies a key, and admits a request if it fits the limits of the key and its organization, unless it's free.
   *
   * @returns undefined for a malformed, unknown, deleted or expired key
   * @throws AppError 503 if the database doesn't respond in time or too many calls are waiting
   */
  async verify(key: string, demand: AdmissionDemand = nothing): Promise<LiveKey | undefined> {
    if (!isWellFormedApiKey(key)) return undefined;
    try {
      return await this.batcher.submit({ hash: hash('sha256', key), demand });
    } catch (error) {
      throw toUnavailable(error, "The database is unavailable: API keys can't be verified. Try again shortly.");
    }
  }

  /**
   * Verifies a key that doesn't exist, the same way as any other.
   *
   * @throws AppError 503 if keys can't be verified
   */
  async check(): Promise<void> {
    await this.verify(generateApiKey());
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  /** The server of the connection may have been replaced by another while the query ran. */
  private async execute(connection: DedicatedConnection, requests: KeyedRequest[]): Promise<(LiveKey | undefined)[]> {
    try {
      const keys = await this.find(connection, requests);
      this.history.assertUsable();
      return keys;
    } catch (error) {
      if (error instanceof UnusableServerError) this.history.checkSoon();
      throw error;
    }
  }

  /** Admission costs every request of a batch something, so it's left out until a key turns out to have limits. */
  private async find(connection: DedicatedConnection, requests: KeyedRequest[]): Promise<(LiveKey | undefined)[]> {
    const limited = requests.filter(({ hash }) => this.limited.has(hash));
    const areRemembered = limited.map(({ hash }) => this.remembered.has(hash)).every(Boolean);
    if (!areRemembered && !requests.some(({ demand }) => demand.isFree)) return this.admit(connection, requests);
    const found = await findKeys(connection, requests, this.history.remembered);
    if (!found.some((key) => key?.isLimited)) return found;
    const keys = found.map((key, place) =>
      areRemembered && key?.isLimited ? this.admitAsBefore(key, requests[place]) : key,
    );
    const isCounted = requests.map(({ demand }, place) => {
      const key = keys[place];
      return key?.isLimited === true && key.admission === undefined && !demand.isFree;
    });
    const counted = requests.filter((_request, place) => isCounted[place]);
    const admitted = counted.length > 0 ? await this.admit(connection, counted) : [];
    return keys.map((key, place) => (isCounted[place] ? admitted.shift() : key));
  }

  /** Without a decision if the limits have changed. */
  private admitAsBefore(key: LiveKey, request: KeyedRequest | undefined): LiveKey {
    if (request === undefined || request.demand.isFree === true) return key;
    const admission = this.remembered.admit(request.hash, key.limitsDigest, key.id, key.organizationId);
    return admission === undefined ? key : { ...key, admission };
  }

  private async admit(connection: DedicatedConnection, requests: KeyedRequest[]): Promise<(LiveKey | undefined)[]> {
    const keys = await findKeysAndAdmit(connection, requests, this.allFit, this.history.remembered);
    this.allFit = keys.every((key) => key?.admission?.isAdmitted !== false);
    if (this.limited.size > maxRememberedHashes) this.limited.clear();
    for (const [place, { hash }] of requests.entries()) {
      const key = keys[place];
      const isLimited = key?.isLimited === true;
      if (key?.admission !== undefined) this.remembered.remember(hash, key.limitsDigest, key.admission);
      if (isLimited === this.limited.has(hash)) continue;
      if (isLimited) this.limited.add(hash);
      else this.limited.delete(hash);
    }
    return keys;
  }
}
