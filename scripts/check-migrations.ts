import 'reflect-metadata';
import { exitOnSignals } from '../src/database/embedded-postgres/exit-on-signals.js';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres/start-embedded-postgres.js';
import { makeTemporaryFolder } from '../test/setup/temporary-folder.js';
import { findDifferences, findLeftovers } from './lib/compare-migrations.js';

/** Exits with 1 unless the migrations match the entities and can be reverted. */
exitOnSignals();
const folder = await makeTemporaryFolder();
try {
  const postgres = await startEmbeddedPostgres(folder.path, { flags: ['-c', 'fsync=off'] });
  try {
    report(await findDifferences(postgres.connection), await findLeftovers(postgres.connection));
  } finally {
    await postgres.stop();
  }
} finally {
  await folder.remove();
}

function report(differences: string[], leftovers: string[]): void {
  if (differences.length > 0) {
    console.error('Entities and migrations differ; a new migration must run:\n');
    console.error(differences.join('\n'));
  }
  if (leftovers.length > 0) console.error(`The reverted migrations leave ${leftovers.join(', ')} behind.`);
  if (differences.length + leftovers.length > 0) process.exitCode = 1;
  else console.log('The migrations match the entities and can be reverted.');
}
