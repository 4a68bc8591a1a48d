import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { AppError } from '../../common/errors/app-error.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import type { ProviderLimits } from '../../config/provider-limits.js';
import { clockToleranceSeconds, providerAlgorithms } from './provider-jwt.js';
import { ProviderRequestError, readProviderJson, requestProvider, withProviderErrors } from './provider-request.js';

interface ProfileRequest {
  accessToken: string;
  /** `sub` of the token; the profile must have the same one (OpenID Connect Core 1.0 §5.3.2). */
  subject: string;
  issuer: string;
  /** The provider's keys, for signed responses. */
  keys: JWTVerifyGetKey;
  limits: ProviderLimits;
}

/**
 * Fetches the subject's claims, as JSON or as a signed JWT. A failure must never look like empty claims: the person
 * would lose their organization and roles, or end up in another organization.
 *
 * @throws AppError 403 if the endpoint rejects the token; 503 for any other response but the subject's claims
 */
export async function fetchProfile(endpoint: string, request: ProfileRequest): Promise<object> {
  const { accessToken, subject, limits } = request;
  const headers = { accept: 'application/json, application/jwt', authorization: `Bearer ${accessToken}` };
  const response = await withProviderErrors(() => requestProvider(endpoint, { headers }, limits));
  if (response.status === 401 || response.status === 403) throw tokenRejected(response.status);
  return withProviderErrors(async () => {
    const isJwt = /^application\/jwt *(;|$)/i.test(response.headers.get('content-type') ?? '');
    const profile = isJwt
      ? await readSignedProfile(endpoint, response, request)
      : await readProviderJson(endpoint, response);
    if (Reflect.get(profile, 'sub') === subject) return profile;
    throw new ProviderRequestError(`The response from ${endpoint} is about another subject.`);
  });
}

/**
 * Doesn't check the audience: it is the client the access token was issued to, not always Keycard. The response comes
 * directly from the endpoint, for this token.
 */
async function readSignedProfile(
  endpoint: string,
  response: Response,
  { issuer, keys }: ProfileRequest,
): Promise<object> {
  if (response.status !== 200) throw new ProviderRequestError(`${endpoint} responded with status ${response.status}.`);
  const token = await response.text();
  if (token.split('.').length === 5) {
    throw new ProviderRequestError(
      `The response from ${endpoint} is encrypted, which Keycard does not support. Configure signed or plain userinfo for this client, or set OIDC_USERINFO=off.`,
    );
  }
  const options = { algorithms: providerAlgorithms, clockTolerance: clockToleranceSeconds };
  const { payload } = await jwtVerify(token, keys, options).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw new ProviderRequestError(`The signed response from ${endpoint} is not valid: ${errorMessage(error)}`);
  });
  if (payload.iss === undefined || payload.iss === issuer) return payload;
  throw new ProviderRequestError(`The signed response from ${endpoint} names another issuer.`);
}

function tokenRejected(status: number): AppError {
  const reason = `Its userinfo endpoint rejects the access token with status ${status}, so your email and roles are unknown.`;
  const remedy =
    "The operator can request scopes that the endpoint accepts (OIDC_SCOPES), or set OIDC_USERINFO=off if the provider's tokens carry all claims.";
  return new AppError('identity-refused', `Your identity provider's account cannot be used here. ${reason} ${remedy}`);
}
