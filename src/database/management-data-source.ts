import { randomInt } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { DataSource, type DataSourceOptions, EntityManager, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { DatabaseConnection } from '../config/database-connection.js';
import { partOf, type InstanceShare } from '../common/instance-share.js';
import { dataSourceOptions, type Entities, poolSize } from './data-source-options.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';
import type { DatabaseHistory } from './history/database-history.service.js';
import { replaceLostClients } from './replace-lost-clients.js';
import { runTransaction } from './run-transaction.js';
import { WriteSlots } from './write-slots.js';

type Change<Result> = (manager: EntityManager) => Promise<Result>;
type IsolationLevel = NonNullable<Parameters<QueryRunner['startTransaction']>[0]>;

/** Limits how long a lock wait or an abandoned transaction can block others. Compiling plans takes longer than running them. */
const settings = 'set lock_timeout = 3000; set idle_in_transaction_session_timeout = 10000; set jit = off';

/** For each query. The connection is closed afterwards, because an unresponsive server doesn't end the query. */
const queryTimeoutMilliseconds = 5000;

/** Behind a proxy, a new connection reaches the current primary. Random, so that replicas don't reconnect together. */
const lifetimeSeconds = { min: 120, max: 240 };

/** Share of the pool's connections that may write; the rest keep serving reads and sign-in while commits hang. */
const writeShare = 0.6;
/** One connection to write and one to read. */
const minPoolSize = 2;
const slotPatience = { stalledMilliseconds: 3000, totalMilliseconds: 10_000 };

/** Options of `ManagementDataSource`. */
export type ManagementOptions = DataSourceOptions & { readonly history: DatabaseHistory };

export function managementOptions(
  database: DatabaseConnection,
  entities: Entities,
  history: DatabaseHistory,
  maxLifetimeSeconds = randomInt(lifetimeSeconds.min, lifetimeSeconds.max),
  instanceShare?: InstanceShare,
): ManagementOptions {
  const connections = partOf(poolSize, instanceShare, minPoolSize);
  const poolOptions = {
    maxLifetimeSeconds,
    onConnect: (client: ClientBase) => history.prepare(client, settings),
  };
  const options = dataSourceOptions(
    { query_timeout: queryTimeoutMilliseconds, ...database, ...poolOptions },
    entities,
    connections,
  );
  return { ...options, history };
}

/** The data source of everything except API key verification and usage, which have their own connections. */
export class ManagementDataSource extends DataSource {
  readonly history: DatabaseHistory;

  constructor({ history, ...options }: ManagementOptions) {
    super(options);
    this.history = history;
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    const pool = (this.driver as PostgresDriver).master as Pool;
    discardUnusableClients(pool);
    replaceLostClients(pool, (client) => this.history.isOutdated(client));
    return this;
  }

  /** How the pool's connections are used now. */
  poolUse(): Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'> {
    return (this.driver as PostgresDriver).master as Pool;
  }

  override createEntityManager(queryRunner?: QueryRunner): EntityManager {
    return new ManagementEntityManager(this, queryRunner);
  }
}

class ManagementEntityManager extends EntityManager {
  private readonly slots: WriteSlots;

  constructor(
    private readonly management: ManagementDataSource,
    queryRunner?: QueryRunner,
  ) {
    super(management, queryRunner);
    const slots = Math.floor((management.options.poolSize ?? poolSize) * writeShare);
    this.slots = new WriteSlots(Math.max(1, slots), slotPatience);
  }

  override transaction<Result>(change: Change<Result>): Promise<Result>;
  override transaction<Result>(isolation: IsolationLevel, change: Change<Result>): Promise<Result>;
  override async transaction<Result>(first: Change<Result> | IsolationLevel, second?: Change<Result>): Promise<Result> {
    const [isolation, change] = typeof first === 'string' ? [first, second] : [undefined, first];
    if (change === undefined) throw new TypeError('A transaction needs a function.');
    if (this.queryRunner !== undefined) {
      return isolation === undefined ? super.transaction(change) : super.transaction(isolation, change);
    }
    await this.slots.acquire();
    return runTransaction(this.dataSource.createQueryRunner(), change, {
      ...(isolation !== undefined && { isolation }),
      beforeStart: (client) => this.management.history.settle(client),
      onRelease: () => this.slots.release(),
    });
  }
}

/**
 * Discards connections released with a running query or an open transaction: the next borrower would wait for the query
 * or commit the transaction.
 */
function discardUnusableClients(pool: Pool): void {
  pool.on('release', (_error, client) => {
    if (client instanceof FaultTolerantClient && !client.isReusable()) client.discard();
  });
}
