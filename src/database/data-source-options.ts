import { type DataSourceOptions, DefaultNamingStrategy, type MigrationInterface } from 'typeorm';
import type { DatabaseConnection } from '../config/database-connection.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';
import { FirstSchema1795600000000 } from './migrations/1795600000000-FirstSchema.js';
import { AddCosts1795610000000 } from './migrations/1795610000000-AddCosts.js';
import { AddBudgets1795620000000 } from './migrations/1795620000000-AddBudgets.js';
import { AddEvents1795630000000 } from './migrations/1795630000000-AddEvents.js';
import { AddAuditProofs1795640000000 } from './migrations/1795640000000-AddAuditProofs.js';
import { AddLeakedKeys1795650000000 } from './migrations/1795650000000-AddLeakedKeys.js';
import { AddMail1795660000000 } from './migrations/1795660000000-AddMail.js';
import { AddOverview1795680000000 } from './migrations/1795680000000-AddOverview.js';
import { AddPeople1795690000000 } from './migrations/1795690000000-AddPeople.js';
import { IndexKeyCreators1795691000000 } from './migrations/1795691000000-IndexKeyCreators.js';
import { AddKeyTags1795700000000 } from './migrations/1795700000000-AddKeyTags.js';
import { AddRequestChunks1795720000000 } from './migrations/1795720000000-AddRequestChunks.js';
import { AddFirstTokenTimes1795730000000 } from './migrations/1795730000000-AddFirstTokenTimes.js';
import { DeleteExpiredKeys1795750000000 } from './migrations/1795750000000-DeleteExpiredKeys.js';
import { AddUsageCohorts1795760000000 } from './migrations/1795760000000-AddUsageCohorts.js';
import { AddCells1795770000000 } from './migrations/1795770000000-AddCells.js';
import { IndexShownSecrets1795780000000 } from './migrations/1795780000000-IndexShownSecrets.js';
import { AddLimitChecks1795790000000 } from './migrations/1795790000000-AddLimitChecks.js';
import { IndexKeyNames1795800000000 } from './migrations/1795800000000-IndexKeyNames.js';
import { AddAuditRequests1795810000000 } from './migrations/1795810000000-AddAuditRequests.js';
import { AddRequestFingerprints1795850000000 } from './migrations/1795850000000-AddRequestFingerprints.js';
import { IndexAuditSearches1795860000000 } from './migrations/1795860000000-IndexAuditSearches.js';

/** Connections of the pool for management requests. */
export const poolSize = 10;

export type Entities = NonNullable<DataSourceOptions['entities']>;

/**
 * Options shared by the service, the TypeORM command line and the tests.
 *
 * @param entities empty if only SQL is run, as for migrations
 * @param connections of the pool
 */
export function dataSourceOptions(
  database: DatabaseConnection,
  entities: Entities = [],
  connections = poolSize,
): DataSourceOptions {
  return {
    ...commonOptions(),
    entities,
    poolSize: connections,
    extra: {
      Client: FaultTolerantClient,
      application_name: 'keycard',
      connectionTimeoutMillis: 4000,
      query_timeout: 30_000,
      ...database,
    },
  };
}

/** The classes of this release's migrations, in order. */
export const knownMigrations = (): (new () => MigrationInterface)[] => [
  FirstSchema1795600000000,
  AddCosts1795610000000,
  AddBudgets1795620000000,
  AddEvents1795630000000,
  AddAuditProofs1795640000000,
  AddLeakedKeys1795650000000,
  AddMail1795660000000,
  AddOverview1795680000000,
  AddPeople1795690000000,
  IndexKeyCreators1795691000000,
  AddKeyTags1795700000000,
  AddRequestChunks1795720000000,
  AddFirstTokenTimes1795730000000,
  DeleteExpiredKeys1795750000000,
  AddUsageCohorts1795760000000,
  AddCells1795770000000,
  IndexShownSecrets1795780000000,
  AddLimitChecks1795790000000,
  IndexKeyNames1795800000000,
  AddAuditRequests1795810000000,
  AddRequestFingerprints1795850000000,
  IndexAuditSearches1795860000000,
];

function commonOptions() {
  return {
    type: 'postgres' as const,
    migrations: knownMigrations(),
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    migrationsTransactionMode: 'each' as const,
    // Logged queries would include their parameters.
    logging: false,
    poolErrorHandler: () => {
      // The pool replaces a lost idle connection. Without a handler, its error would end the process.
    },
  };
}

/** Maps property names to SQL column names: `createdAt` becomes `created_at`. */
class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
