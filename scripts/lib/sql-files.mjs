import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { filesBelow } from './fingerprint.mjs';

const sqlFilesBelow = (folder) => filesBelow(folder).filter((file) => file.endsWith('.sql'));

/**
 * Copies SQL files next to compiled modules, which read them with `src/database/sql-file.ts`: the compiler only writes
 * JavaScript.
 *
 * @param from the folder of the sources, or of modules compiled before
 * @param to the folder of the compiled modules; loses SQL files that the other one doesn't have
 */
export function copySqlFiles(from, to) {
  const files = sqlFilesBelow(from);
  for (const file of sqlFilesBelow(to)) if (!files.includes(file)) rmSync(path.join(to, file));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    copyFileSync(path.join(from, file), path.join(to, file));
  }
}
