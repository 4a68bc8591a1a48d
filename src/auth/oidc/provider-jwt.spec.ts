import { isAccessToken } from './provider-jwt.js';

const audience = 'keycard';
const claims = { iss: 'https://id.example.com', sub: 'ada', aud: audience, iat: 1, exp: 2 };
const check = (typ: string | undefined, payload: object) =>
  isAccessToken({ alg: 'RS256', typ }, { ...claims, ...payload }, audience);

describe('isAccessToken', () => {
  it.each<[string, string | undefined, object]>([
    ['RFC 9068', 'at+jwt', { client_id: 'web', jti: 'x' }],
    ['RFC 9068 with the full media type', 'application/at+jwt', { client_id: 'web' }],
    ['Keycloak', 'JWT', { typ: 'Bearer', azp: 'web', scope: 'openid email', sid: 'x', acr: '1' }],
    ['Auth0', 'JWT', { aud: [audience, 'https://id.example.com/userinfo'], azp: 'web', scope: 'openid profile' }],
    ['Entra ID', 'JWT', { azp: 'web', scp: 'access_as_user', ver: '2.0', oid: 'x', tid: 'x' }],
    ['Okta', undefined, { cid: 'web', uid: 'x', scp: ['openid'], ver: 1 }],
    ['Ory Hydra', 'JWT', { client_id: 'web', scp: ['openid'], ext: {} }],
    ['Zitadel', 'JWT', { client_id: 'web', jti: 'x', nbf: 1 }],
  ])('should accept an access token as issued by %s', (_provider, typ, payload) => {
    expect(check(typ, payload)).toBe(true);
  });

  it.each<[string, string | undefined, object]>([
    ['an ID token', 'JWT', { nonce: 'x', at_hash: 'x' }],
    ['an ID token without a nonce', 'JWT', { at_hash: 'x', auth_time: 1 }],
    ['an ID token with none of its typical claims', 'JWT', { azp: audience, email: 'ada@example.com' }],
    ['an ID token without a type', undefined, { email: 'ada@example.com', email_verified: true }],
    ["Keycloak's ID token", 'JWT', { typ: 'ID', azp: audience, sid: 'x', acr: '1' }],
    ["Keycloak's refresh token", 'JWT', { typ: 'Refresh', scope: 'openid' }],
    ["Cognito's ID token", undefined, { token_use: 'id', auth_time: 1 }],
    ["Entra ID's ID token", 'JWT', { oid: 'x', tid: 'x', ver: '2.0', preferred_username: 'ada' }],
    ['an ID token that names the client', 'JWT', { client_id: audience }],
    ['a token with an ID token hash, despite its type', 'at+jwt', { c_hash: 'x' }],
    ['a logout token', 'logout+jwt', { events: {}, sid: 'x' }],
    ['a logout token without events', 'logout+jwt', { scope: 'openid' }],
    ['a logout token of type JWT', 'JWT', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
    ['a security event', 'secevent+jwt', { scope: 'openid' }],
    ['a DPoP proof', 'dpop+jwt', { scope: 'openid' }],
    ['a token of an unknown type', 'x', { scope: 'openid' }],
  ])('should reject %s', (_title, typ, payload) => {
    expect(check(typ, payload)).toBe(false);
  });
});
