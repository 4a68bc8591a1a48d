import 'reflect-metadata';
import { exitOnSignals } from '../src/database/embedded-postgres/exit-on-signals.js';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres/start-embedded-postgres.js';
import { makeTemporaryFolder } from '../test/setup/temporary-folder.js';
import { compareMigrations } from './lib/compare-migrations.js';

/** Exits with 1 unless the migrations make what the entities describe and can all be taken back. */
exitOnSignals();
const folder = await makeTemporaryFolder();
try {
  const postgres = await startEmbeddedPostgres(folder.path, { flags: ['-c', 'fsync=off'] });
  try {
    report(await compareMigrations(postgres.connection));
  } finally {
    await postgres.stop();
  }
} finally {
  await folder.remove();
}

function report({ differences, leftovers }: Awaited<ReturnType<typeof compareMigrations>>): void {
  if (differences.length > 0) {
    console.error('The entities describe more than the migrations make; a new migration has to do this:\n');
    console.error(differences.join('\n'));
  }
  if (leftovers.length > 0) console.error(`The migrations, taken back, leave ${leftovers.join(', ')} behind.`);
  if (differences.length + leftovers.length > 0) process.exitCode = 1;
  else console.log('The migrations make what the entities describe, and each can be taken back.');
}
