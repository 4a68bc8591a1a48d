import type { JWTHeaderParameters, JWTPayload } from 'jose';

/** Asymmetric algorithms only: with HS256, anyone could sign with the provider's public key (RFC 8725 §2.1, §3.1). */
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

/** Tokens issued further in the future are rejected, because a person's newest token outdates the older ones. */
const maxAheadSeconds = 300;

/** Whether the value is a valid subject (OpenID Connect Core 1.0 §2). */
export function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub);
}

/** Whether `iat` isn't too far in the future. */
export function hasPlausibleAge({ iat = 0 }: JWTPayload): boolean {
  return iat >= 0 && iat <= Date.now() / 1000 + maxAheadSeconds;
}

/** `iat` in whole seconds, because only some providers send fractions. */
export function issueTimeOf({ iat }: JWTPayload): Date {
  return new Date(Math.floor(Number(iat)) * 1000);
}

/** Claims of ID tokens and logout tokens that no access token has. */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** Claims that ID tokens don't have: granted scopes and, from Okta, the client's `cid`. */
const accessTokenClaims = ['scope', 'scp', 'cid'];

/**
 * Whether the token is an access token. Signature, issuer and audience don't tell: if `OIDC_AUDIENCE` is a client ID,
 * ID tokens and logout tokens pass those checks too.
 *
 * Access tokens have the media type `at+jwt` (RFC 9068 §2.1). Many providers send `JWT` or no type instead; such a
 * token must also have a claim that only access tokens have. Any other type, and any claim that only other tokens have,
 * is rejected.
 *
 * @param audience the token was verified for
 */
export function isAccessToken(header: JWTHeaderParameters, payload: JWTPayload, audience: string): boolean {
  const type = header.typ?.toLowerCase().replace(/^application\//, '');
  if (type !== undefined && type !== 'at+jwt' && type !== 'jwt') return false;
  if (foreignClaims.some((name) => payload[name] !== undefined)) return false;
  // Keycloak's `typ` is "Bearer", "ID", "Logout" or "Refresh"; Cognito's `token_use` is "access" or "id".
  const { typ: kind, token_use: use, client_id: clientId } = payload;
  if ((kind !== undefined && kind !== 'Bearer') || (use !== undefined && use !== 'access')) return false;
  if (type === 'at+jwt' || kind === 'Bearer' || use === 'access') return true;
  if (accessTokenClaims.some((name) => payload[name] !== undefined)) return true;
  return typeof clientId === 'string' && clientId !== audience;
}
