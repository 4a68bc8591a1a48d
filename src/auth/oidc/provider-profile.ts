import { AppError } from '../../common/errors/app-error.js';
import type { ProviderLimits } from '../../config/provider-limits.js';
import { ProviderRequestError, readProviderJson, requestProvider } from './provider-request.js';
import { reach } from './reach.js';

interface ProfileRequest {
  accessToken: string;
  /** `sub` of the token; the profile must be about the same person (OpenID Connect Core 1.0 §5.3.2). */
  subject: string;
  limits: ProviderLimits;
}

/**
 * Requests the claims of the token's subject. A failure never counts as a person without claims: they would lose their
 * organization and roles, or land in another organization.
 *
 * @throws AppError 403 when the endpoint rejects the token; 503 for any other response but the subject's claims
 */
export async function fetchProfile(endpoint: string, request: ProfileRequest): Promise<object> {
  const { accessToken, subject, limits } = request;
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
  const response = await reach(() => requestProvider(endpoint, { headers }, limits));
  if (response.status === 401 || response.status === 403) {
    const detail = 'Its userinfo endpoint rejects the access token, so your email address and roles are unknown.';
    throw new AppError('identity-refused', `Your identity provider's account cannot be used here. ${detail}`);
  }
  return reach(async () => {
    const profile = await readProviderJson(endpoint, response);
    if (Reflect.get(profile, 'sub') === subject) return profile;
    throw new ProviderRequestError(`The response from ${endpoint} is about another subject.`);
  });
}
