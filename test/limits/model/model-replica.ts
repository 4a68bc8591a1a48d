import { NIL } from 'uuid';
import { ApiKeyVerifierService } from '../../../src/api-keys/api-key-verifier.service.js';
import type { ServiceConfig } from '../../../src/config/service-config.js';
import { DedicatedConnection } from '../../../src/database/dedicated-connection.js';
import { DatabaseHistory } from '../../../src/database/history/database-history.service.js';
import { Admission } from '../../../src/limits/admission.js';
import type { Amounts } from '../../../src/limits/amounts.js';
import { settleRequests } from '../../../src/limits/reservation-queries.js';
import { ReservationsService } from '../../../src/limits/reservations.service.js';
import type { SettledRequest } from '../../../src/limits/settlements.js';
import { usageWriterSettings, writeUsage } from '../../../src/usage/write-usage.js';
import type { TestApp } from '../../setup/test-app.js';

/** The parts of a replica that decide about requests. */
export class ModelReplica {
  readonly verifier: ApiKeyVerifierService;
  readonly reservations: ReservationsService;
  private readonly connection: DedicatedConnection;
  /** Resolves when nothing is being settled. */
  private idle: Promise<void> = Promise.resolve();
  private settledCount = 0;

  /** @param limitWaitSeconds how long its requests wait: by default as long as it takes */
  constructor({ database }: Pick<TestApp, 'database'>, limitWaitSeconds = 3600) {
    const config = { database, limitWaitSeconds } as ServiceConfig;
    const history = new DatabaseHistory(config);
    this.verifier = new ApiKeyVerifierService(config, history);
    this.reservations = new ReservationsService(config, history);
    this.connection = connectTo({ database });
  }

  /** Has a request counted; undefined without limits. */
  async arrive(key: string): Promise<Admission | undefined> {
    const found = await this.verifier.verify(key, { uses: 'tokens', address: null });
    if (found === undefined) throw new Error('The key was not found.');
    if (found.admission !== undefined) this.reservations.track(found.admission);
    return found.admission;
  }

  /** @param used by the current model; null if it isn't known */
  async settle(admission: Admission, used: Amounts | null, isRefunded: boolean): Promise<void> {
    await this.reservations.end(admission);
    const { keyId, organizationId, states: limits, requestCounts: counted } = admission;
    const reservations = admission.reservations.map((reservation) => ({
      reservation,
      used: reservation.used ?? used,
    }));
    const settled = { keyId, organizationId, limits, isRefunded, counted, reservations };
    this.settledCount += 1;
    const usesFunction = this.settledCount % 4 === 0;
    await (this.idle = this.idle.then(() =>
      usesFunction ? settleRequests(this.connection, [settled]) : settleWithUsage(this.connection, settled),
    ));
  }

  /** Returns once the attempts that are underway have been decided. */
  async finishAttempts(): Promise<void> {
    const limit = { ownerId: NIL, metric: 'tokens', per: 'day', max: 1, charged: 0, reserved: 0 } as const;
    const admission = new Admission(NIL, NIL, 0, 0, true, [{ ...limit, counterMetric: 'tokens', counter: 'tokens' }]);
    admission.end();
    const demand = { model: 'm1', tokens: 1, pages: 0, cost: 0 };
    await this.reservations.reserveMore(admission, demand).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.verifier.onApplicationShutdown();
    await this.reservations.onApplicationShutdown();
    await this.connection.close();
  }
}

/** Settles a request like the usage recorder, but without usage. */
function settleWithUsage(connection: DedicatedConnection, settlement: SettledRequest): Promise<void> {
  const { keyId: apiKeyId, organizationId } = settlement;
  return writeUsage(connection, [
    { organizationId, apiKeyId, model: '', outcome: 'unrecorded', milliseconds: 0, settlement },
  ]);
}

/** Opens a connection that has the held clock. */
export function connectTo({ database }: Pick<TestApp, 'database'>): DedicatedConnection {
  return new DedicatedConnection(database, {
    applicationName: 'model comparison',
    timeoutMilliseconds: 10_000,
    maxAgeSeconds: 3600,
    setup: usageWriterSettings,
  });
}

/**
 * Makes PostgreSQL's clock stand still for connections that begin later, by hiding the functions that read it.
 *
 * @returns a function that sets the clock, in milliseconds since 1970
 */
export async function holdClock({ query }: TestApp): Promise<(milliseconds: number) => Promise<void>> {
  await query('create schema held');
  await query('create table held.clock as select pg_catalog.clock_timestamp() as value');
  for (const name of ['clock_timestamp', 'now']) {
    await query(
      `create function held.${name}() returns timestamptz language sql stable as 'select value from held.clock'`,
    );
  }
  await query(`do $$ begin execute format(
    'alter database %I set search_path = held, pg_catalog, public', current_database()); end $$`);
  return async (milliseconds) => {
    await query('update held.clock set value = to_timestamp($1::double precision / 1000)', [milliseconds]);
  };
}
