import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';

/**
 * Loads a secret from the data directory; generates it on the first start (file mode 600).
 *
 * @param name of the file
 * @throws StartupError if the file can't be read or written
 */
export function loadOrGenerate(dataDirectory: string, name: string, generate: () => string): string {
  const file = path.join(dataDirectory, name);
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(file, generate(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw new StartupError(`DATA_DIR must be writable; ${dataDirectory} is not.`);
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new StartupError(`${file} must be readable by the user that runs Keycard.`);
  }
}
