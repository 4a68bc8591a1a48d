import type { JWTHeaderParameters, JWTPayload } from 'jose';

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

/** Claims of ID tokens and logout tokens that no access token has. */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** Claims that ID tokens do not have: granted scopes (Okta: also the client's `cid`). */
const accessTokenClaims = ['scope', 'scp', 'cid'];

/**
 * Whether the provider issued the token as an access token. Signature, issuer and audience do not show it: an ID token
 * has all three right when `OIDC_AUDIENCE` is a client ID, and so does a logout token.
 *
 * The media type `at+jwt` (RFC 9068 §2.1) marks an access token. Many providers send `JWT` or no type instead: then the
 * token must also carry a claim that only access tokens have. A token of any other type, or with a claim that only
 * other tokens have, is rejected.
 *
 * @param audience that the token was verified for
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
