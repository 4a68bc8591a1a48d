import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../common/errors/error-facts.js';
import { StartupError } from '../common/startup-error.js';

/**
 * The secret kept in the data directory, generated at the first start (file mode 600).
 *
 * @throws StartupError when the file cannot be read or written, or does not hold a secret
 */
export function loadOrGenerateJwtSecret(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'jwt-secret');
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST')
      throw new StartupError(`DATA_DIR must be writable, and ${dataDirectory} is not.`);
  }
  const secret = readSecret(file);
  if (Buffer.byteLength(secret) < 32) {
    throw new StartupError(`${file} must hold at least 32 bytes; remove it to have a new secret generated.`);
  }
  return secret;
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new StartupError(`${file} must be readable by the user that runs Keycard.`);
  }
}
