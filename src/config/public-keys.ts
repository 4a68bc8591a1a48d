import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Public keys by their identifier. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

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
    return new Map(keys.map(({ key_identifier: identifier, key }) => [identifier, toPublicKey(key)]));
  } catch {
    return undefined;
  }
}

/** @throws Error if it isn't such a key */
function toPublicKey(pem: string): KeyObject {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('The key must be on P-256.');
  return key;
}
