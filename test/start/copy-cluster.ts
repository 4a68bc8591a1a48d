import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

const run = promisify(execFile);

/**
 * Creates a database before the tests of this file, and returns a function that copies it into a DATA_DIR. `initdb` takes
 * ten times as long as the copy.
 */
export function useClusterCopies(): (dataDirectory: string) => Promise<void> {
  let original: TemporaryFolder;
  beforeAll(async () => {
    original = await makeTemporaryFolder();
    await (await startEmbeddedPostgres(original.path)).stop();
  });
  afterAll(() => original.remove());
  // Keeps the owner: PostgreSQL runs as another user if tests run as root.
  return async (dataDirectory) => void (await run('cp', ['-a', path.join(original.path, 'postgresql'), dataDirectory]));
}
