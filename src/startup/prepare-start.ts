import path from 'node:path';
import type { Logger } from 'pino';
import type { SinkDefinition } from '../config/sink-definition.js';
import { connectionOf, type DatabaseConnection } from '../config/database-connection.js';
import { defaultModels } from '../ai-gateway/models/default-models.js';
import type { ModelsFile } from '../ai-gateway/models/models-file/models-schema.js';
import { type AuditSigningKeys, findAuditSigningKeys } from '../config/audit-signing-keys.js';
import { type JwtSecrets, loadOrGenerateJwtSecrets } from '../config/jwt-secret.js';
import type { Config } from '../config/read-config.js';
import { defaultCurrency } from '../config/service-config.js';
import { checkDatabase } from '../database/check-database.js';
import { checkHistory } from '../database/history/check-history.js';
import { historyFileIn } from '../database/history/history-file.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres/start-embedded-postgres.js';

/** Default `max_connections` of PostgreSQL. */
const defaultConnections = 100;
/** Connections that each further instance needs: three for requests to `/v1`, which may double for a moment, and a pool. */
const connectionsPerInstance = 10;

/** What the application needs to start; the same for all instances. */
export interface Foundation {
  database: DatabaseConnection;
  jwtSecrets: JwtSecrets;
  auditSigningKeys: AuditSigningKeys | undefined;
  auditSinks: readonly SinkDefinition[];
  modelsFile: ModelsFile;
}

interface Prepared extends Foundation {
  /** Stops the embedded database. */
  stop: () => Promise<void>;
}

/**
 * Reads the models file and the sinks file, starts or checks the database, and migrates it.
 *
 * @param onDatabaseLost called with the reason if the embedded database can't be kept running
 * @throws StartupError if the operator has to fix something; nothing is left running
 */
export async function prepareStart(
  config: Config,
  logger: Logger,
  onDatabaseLost: (reason: string) => void,
): Promise<Prepared> {
  const modelsFile = await readModels(config);
  const auditSinks = await readSinks(config);
  // TypeORM loads while the embedded database starts.
  const [{ connection, stop }, { migrate }] = await Promise.all([
    openDatabase(config, logger, onDatabaseLost),
    import('../database/migrate.js'),
  ]);
  try {
    const jwtSecrets = config.jwtSecret ?? loadOrGenerateJwtSecrets(config.dataDir);
    const auditSigningKeys = findAuditSigningKeys(config);
    await migrate(connection, { logger });
    await checkHistory(connection, historyFileIn(config.dataDir), logger);
    return { database: connection, jwtSecrets, auditSigningKeys, auditSinks, modelsFile, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readModels({ modelsFile, dataDir, readSecret, ocrLanguages }: Config): Promise<ModelsFile> {
  if (modelsFile === undefined) return { models: defaultModels(ocrLanguages), services: [], currency: defaultCurrency };
  const downloadFolder = path.join(dataDir, 'models');
  // Loaded only here, because its parser would slow down every start.
  const { readModelsFile } = await import('../ai-gateway/models/models-file/read-models-file.js');
  return readModelsFile(modelsFile, { readSecret, downloadFolder, ocrLanguages });
}

async function readSinks({ auditSinksFile, readSecret }: Config): Promise<readonly SinkDefinition[]> {
  if (auditSinksFile === undefined) return [];
  const { readSinksFile } = await import('../audit/sinks/read-sinks-file.js');
  return readSinksFile(auditSinksFile, { readSecret });
}

async function openDatabase(
  { databaseUrl, dataDir, workers: instances }: Config,
  logger: Logger,
  onGiveUp: (reason: string) => void,
): Promise<{ connection: DatabaseConnection; stop: () => Promise<void> }> {
  if (databaseUrl === undefined) {
    const connections = defaultConnections + (instances - 1) * connectionsPerInstance;
    const flags = instances === 1 ? [] : ['-c', `max_connections=${connections}`];
    const server = await startEmbeddedPostgres(dataDir, { flags, supervision: { logger, onGiveUp } });
    return { connection: server.connection, stop: () => server.stop() };
  }
  const connection = connectionOf(databaseUrl);
  await checkDatabase(connection);
  return { connection, stop: () => Promise.resolve() };
}
