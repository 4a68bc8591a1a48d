import type { JWTPayload } from 'jose';

/** Asymmetric ones only: with HS256, the provider's public key would do as a secret (RFC 8725 §2.1, §3.1). */
export const providerAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export const clockToleranceSeconds = 5;

/** Tokens issued further ahead than this are rejected: a newer token outdates the older ones of the same person. */
const furthestAheadSeconds = 300;

/** Whether the subject has the form that OpenID Connect Core 1.0 §2 requires. */
export function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub);
}

/** Whether the token was issued at a time that is not ahead of every clock. */
export function hasPlausibleAge({ iat = 0 }: JWTPayload): boolean {
  return iat >= 0 && iat <= Date.now() / 1000 + furthestAheadSeconds;
}

/** When the token was issued, in whole seconds: providers may or may not send fractions. */
export function issueTimeOf({ iat }: JWTPayload): Date {
  return new Date(Math.floor(Number(iat)) * 1000);
}
