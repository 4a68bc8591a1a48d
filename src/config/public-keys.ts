import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A public key for ECDSA on P-256. As text, because the configuration is sent to the processes of instances. */
interface PublicKey {
  readonly identifier: string;
  readonly pem: string;
}

export type PublicKeys = readonly PublicKey[];

const documentSchema = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string().min(1), key: z.string() })).min(1),
});

/**
 * Parses the public keys of GitHub's secret scanning, as `https://api.github.com/meta/public_keys/secret_scanning` returns
 * them. Keys that aren't current are valid too: GitHub lists them while it replaces them.
 *
 * @param text the JSON document, or the path of a file with it
 * @returns undefined if it can't be read, or has a key that isn't ECDSA on P-256
 */
export function parsePublicKeys(text: string): PublicKeys | undefined {
  try {
    const json = text.trim().startsWith('{') ? text : readFileSync(text, 'utf8');
    const { public_keys: keys } = documentSchema.parse(JSON.parse(json));
    if (!keys.every(({ key }) => isOnP256(key))) return undefined;
    return keys.map(({ key_identifier: identifier, key: pem }) => ({ identifier, pem }));
  } catch {
    return undefined;
  }
}

/** @throws Error if it isn't a key */
function isOnP256(pem: string): boolean {
  return createPublicKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
}
