import pg from 'pg';

import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';

/**
 * A process that holds a DATA_DIR. It inserts consecutive numbers, reports each once PostgreSQL has acknowledged it, and
 * stops on any standard input.
 */
async function main(dataDirectory: string): Promise<void> {
  const postgres = await startEmbeddedPostgres(dataDirectory);
  process.stdin.once('data', () => void postgres.stop().then(() => process.stdin.destroy()));
  const client = new pg.Client(postgres.connection);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ file: string }>("SELECT current_setting('data_directory') AS file");
  console.log(`cluster ${rows[0]?.file}`);
  await client.query('CREATE TABLE IF NOT EXISTS numbers (number int)');
  for (let number = 0; ; number++) {
    await client.query('INSERT INTO numbers VALUES ($1)', [number]);
    console.log(`acknowledged ${number}`);
  }
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  console.log(`failed ${error instanceof Error ? error.message : String(error)}`);
});
