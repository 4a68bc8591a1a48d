import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';

/** Secrets of access tokens: the first one signs, all of them verify. */
export type JwtSecrets = readonly [string, ...string[]];

const minBytes = 32;

/**
 * Parses one secret, or two separated by a comma during a rotation. A secret that contains a comma is split only if both
 * parts are long enough to be secrets.
 *
 * @returns undefined if the secret is shorter than 32 bytes
 */
export function parseJwtSecrets(text: string): JwtSecrets | undefined {
  const isSecret = (secret: string) => Buffer.byteLength(secret) >= minBytes;
  const [first = '', second = '', ...others] = text.split(',').map((part) => part.trim());
  if (others.length === 0 && isSecret(first) && isSecret(second)) return [first, second];
  return isSecret(text) ? [text] : undefined;
}

/**
 * Loads the secret from the data directory; generates it on the first start (file mode 600).
 *
 * @throws StartupError if the file can't be read or written, or holds no valid secret
 */
export function loadOrGenerateJwtSecrets(dataDirectory: string): JwtSecrets {
  const file = path.join(dataDirectory, 'jwt-secret');
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw new StartupError(`DATA_DIR must be writable; ${dataDirectory} is not.`);
  }
  const secrets = parseJwtSecrets(readSecret(file));
  if (secrets === undefined) {
    throw new StartupError(
      `${file} must contain a secret of at least 32 bytes, or two separated by a comma; remove it to generate a new one.`,
    );
  }
  return secrets;
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new StartupError(`${file} must be readable by the user that runs Keycard.`);
  }
}
