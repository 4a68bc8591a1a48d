import { StartupError } from '../../common/startup-error.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { FaultTolerantClient } from '../fault-tolerant-client.js';
import { lostHistory } from './history-errors.js';
import { HistoryFile } from './history-file.js';
import { lookAtHistory } from './history-queries.js';

const timeoutMilliseconds = 5000;

/**
 * Checks that the database has what this replica knew before it was stopped.
 *
 * @param file as written by `HistoryFile`
 * @throws StartupError if the database went back in time
 */
export async function checkHistory(
  database: DatabaseConnection,
  file: string,
  logger: { warn: (message: string) => void },
): Promise<void> {
  const limits = { connectionTimeoutMillis: timeoutMilliseconds, query_timeout: timeoutMilliseconds };
  const client = new FaultTolerantClient({ ...database, ...limits });
  try {
    await client.connect();
    const { verdict } = await lookAtHistory(client, new HistoryFile(file, logger).read());
    if (verdict === 'lost') throw new StartupError(lostHistory);
  } finally {
    await client.end().catch(() => undefined);
  }
}
