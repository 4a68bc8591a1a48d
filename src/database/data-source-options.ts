import { type DataSourceOptions, DefaultNamingStrategy } from 'typeorm';
import type { DatabaseConnection } from '../config/database-connection.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';
import { InitialSchema1795235329752 } from './migrations/1795235329752-InitialSchema.js';
import { Usage1795245674253 } from './migrations/1795245674253-Usage.js';
import { AuditEvents1795245943678 } from './migrations/1795245943678-AuditEvents.js';
import { Sessions1795247127186 } from './migrations/1795247127186-Sessions.js';
import { SingleSignOn1795247405158 } from './migrations/1795247405158-SingleSignOn.js';
import { Invitations1795247619250 } from './migrations/1795247619250-Invitations.js';
import { RateLimits1795247700000 } from './migrations/1795247700000-RateLimits.js';
import { KeyLifecycle1795248000000 } from './migrations/1795248000000-KeyLifecycle.js';
import { AuditEventFilters1795249404889 } from './migrations/1795249404889-AuditEventFilters.js';
import { EmailVerification1795333612551 } from './migrations/1795333612551-EmailVerification.js';
import { ProviderSessions1795335512381 } from './migrations/1795335512381-ProviderSessions.js';
import { PasswordResets1795335833013 } from './migrations/1795335833013-PasswordResets.js';
import { ProviderSessionsIndex1795340000000 } from './migrations/1795340000000-ProviderSessionsIndex.js';
import { ProviderLogouts1795345066841 } from './migrations/1795345066841-ProviderLogouts.js';
import { KeyRestrictions1795372200000 } from './migrations/1795372200000-KeyRestrictions.js';
import { Limits1795380000000 } from './migrations/1795380000000-Limits.js';
import { AdmitBatches1795390000000 } from './migrations/1795390000000-AdmitBatches.js';
import { FailedRequests1795400000000 } from './migrations/1795400000000-FailedRequests.js';
import { KeyUse1795401000000 } from './migrations/1795401000000-KeyUse.js';
import { UsageHistory1795412300000 } from './migrations/1795412300000-UsageHistory.js';
import { Automation1795420000000 } from './migrations/1795420000000-Automation.js';
import { PackedUsage1795430000000 } from './migrations/1795430000000-PackedUsage.js';
import { DeletedOrganizations1795440000000 } from './migrations/1795440000000-DeletedOrganizations.js';
import { AuditEventHints1795450000000 } from './migrations/1795450000000-AuditEventHints.js';
import { KeyRotations1795460000000 } from './migrations/1795460000000-KeyRotations.js';
import { RequestedModels1795470000000 } from './migrations/1795470000000-RequestedModels.js';
import { ExceededLimits1795480000000 } from './migrations/1795480000000-ExceededLimits.js';
import { InvalidFields1795490000000 } from './migrations/1795490000000-InvalidFields.js';
import { PreviousKeyUse1795500000000 } from './migrations/1795500000000-PreviousKeyUse.js';
import { ReserveOnceKnown1795505000000 } from './migrations/1795505000000-ReserveOnceKnown.js';
import { SettleReservations1795506000000 } from './migrations/1795506000000-SettleReservations.js';
import { DatabaseHistory1795510000000 } from './migrations/1795510000000-DatabaseHistory.js';
import { Meters1795520000000 } from './migrations/1795520000000-Meters.js';

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
export const knownMigrations = () => commonOptions().migrations;

function commonOptions() {
  return {
    type: 'postgres' as const,
    migrations: [
      InitialSchema1795235329752,
      Usage1795245674253,
      AuditEvents1795245943678,
      Sessions1795247127186,
      SingleSignOn1795247405158,
      Invitations1795247619250,
      RateLimits1795247700000,
      KeyLifecycle1795248000000,
      AuditEventFilters1795249404889,
      EmailVerification1795333612551,
      ProviderSessions1795335512381,
      ProviderSessionsIndex1795340000000,
      PasswordResets1795335833013,
      ProviderLogouts1795345066841,
      KeyRestrictions1795372200000,
      Limits1795380000000,
      AdmitBatches1795390000000,
      FailedRequests1795400000000,
      KeyUse1795401000000,
      UsageHistory1795412300000,
      Automation1795420000000,
      PackedUsage1795430000000,
      DeletedOrganizations1795440000000,
      AuditEventHints1795450000000,
      KeyRotations1795460000000,
      RequestedModels1795470000000,
      ExceededLimits1795480000000,
      InvalidFields1795490000000,
      PreviousKeyUse1795500000000,
      ReserveOnceKnown1795505000000,
      SettleReservations1795506000000,
      DatabaseHistory1795510000000,
      Meters1795520000000,
    ],
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
