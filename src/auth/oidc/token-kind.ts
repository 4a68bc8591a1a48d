import type { JWTHeaderParameters, JWTPayload } from 'jose';

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
