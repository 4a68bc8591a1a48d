import type { DatabaseConnection } from '../../src/config/database-connection.js';

/** The PostgreSQL server of this test run, passed by the global setup to its workers. */
export interface TestServer {
  connection: DatabaseConnection;
  /** A migrated database without connections, so that it can be cloned. */
  template: string;
}

const variable = 'KEYCARD_TEST_SERVER';

export function announceTestServer(server: TestServer): void {
  process.env[variable] = JSON.stringify(server);
}

export function findTestServer(): TestServer {
  const text = process.env[variable];
  if (text === undefined) throw new Error('The global setup did not run.');
  return JSON.parse(text) as TestServer;
}
