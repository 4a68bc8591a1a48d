import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { StartupError } from '../common/startup-error.js';
import { loadOrGenerate } from './generated-secret.js';

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
  const name = 'jwt-secret';
  const secrets = parseJwtSecrets(loadOrGenerate(dataDirectory, name, () => randomBytes(48).toString('base64url')));
  if (secrets === undefined) {
    throw new StartupError(
      `${path.join(dataDirectory, name)} must contain a secret of at least 32 bytes, or two separated by a comma; remove it to generate a new one.`,
    );
  }
  return secrets;
}
