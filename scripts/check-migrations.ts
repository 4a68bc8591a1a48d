import 'reflect-metadata';
import { exitOnSignals } from '../src/database/embedded-postgres/exit-on-signals.js';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres/start-embedded-postgres.js';
import { makeTemporaryFolder } from '../test/setup/temporary-folder.js';
import { findDifferences, findLeftovers } from './lib/compare-migrations.js';
import { findBreaks } from './lib/find-breaks.js';

/** Exits with 1 unless the migrations keep the previous release working, match the entities and can be reverted. */
exitOnSignals();
const folder = await makeTemporaryFolder();
try {
  const postgres = await startEmbeddedPostgres(folder.path, { flags: ['-c', 'fsync=off'] });
  try {
    // First, because it needs a new database.
    report('Migrations break the previous release', await findBreaks(postgres.connection));
    report('A new migration must run, because entities differ', await findDifferences(postgres.connection));
    report('Reverted migrations leave this behind', await findLeftovers(postgres.connection));
    if (process.exitCode === undefined)
      console.log('The migrations only expand the schema, match the entities and can be reverted.');
  } finally {
    await postgres.stop();
  }
} finally {
  await folder.remove();
}

function report(what: string, problems: string[]): void {
  if (problems.length === 0) return;
  console.error([`${what}:`, ...problems].join('\n  '));
  process.exitCode = 1;
}
