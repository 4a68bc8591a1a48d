import { rmSync } from 'node:fs';
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/setup/temporary-folder.js';

/** Creates a temporary folder that doesn't outlive this process, however the benchmark ends. */
export async function makeBenchFolder(): Promise<TemporaryFolder> {
  const folder = await makeTemporaryFolder();
  // PostgreSQL may still be writing.
  process.once('exit', () => rmSync(folder.path, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
