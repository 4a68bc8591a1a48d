import { ApiKeyVerifierService } from '../../../src/api-keys/api-key-verifier.service.js';
import type { ServiceConfig } from '../../../src/config/service-config.js';
import { DedicatedConnection } from '../../../src/database/dedicated-connection.js';
import { DatabaseHistory } from '../../../src/database/history/database-history.service.js';
import type { Admission } from '../../../src/limits/admission.js';
import { settleRequests } from '../../../src/limits/reservation-queries.js';
import { ReservationsService } from '../../../src/limits/reservations.service.js';
import type { TestApp } from '../../setup/test-app.js';

/** The parts of a replica that decide about requests. Its requests wait as long as it takes. */
export class ModelReplica {
  readonly verifier: ApiKeyVerifierService;
  readonly reservations: ReservationsService;
  private readonly connection: DedicatedConnection;

  constructor({ database }: Pick<TestApp, 'database'>) {
    const config = { database, limitWaitSeconds: 3600 } as ServiceConfig;
    const history = new DatabaseHistory(config);
    this.verifier = new ApiKeyVerifierService(config, history);
    this.reservations = new ReservationsService(config, history);
    this.connection = new DedicatedConnection(database, {
      applicationName: 'settlements',
      timeoutMilliseconds: 10_000,
      maxAgeSeconds: 3600,
      setup: 'select',
    });
  }

  async settle(
    admission: Admission,
    used: Record<'tokens' | 'pages', number> | null,
    isRefunded: boolean,
  ): Promise<void> {
    await this.reservations.end(admission);
    const { keyId, organizationId, countedAt, reservation } = admission;
    await settleRequests(this.connection, [{ keyId, organizationId, countedAt, isRefunded, reservation, used }]);
  }

  async close(): Promise<void> {
    await this.verifier.onApplicationShutdown();
    await this.reservations.onApplicationShutdown();
    await this.connection.close();
  }
}

/**
 * Makes PostgreSQL's clock stand still for connections that begin later, by hiding the function that reads it.
 *
 * @returns a function that sets the clock, in milliseconds since 1970
 */
export async function holdClock({ query }: TestApp): Promise<(milliseconds: number) => Promise<void>> {
  await query('create schema held');
  await query('create table held.clock as select pg_catalog.clock_timestamp() as value');
  await query(
    `create function held.clock_timestamp() returns timestamptz language sql stable as 'select value from held.clock'`,
  );
  await query(`do $$ begin execute format(
    'alter database %I set search_path = held, pg_catalog, public', current_database()); end $$`);
  return async (milliseconds) => {
    await query('update held.clock set value = to_timestamp($1::double precision / 1000)', [milliseconds]);
  };
}
