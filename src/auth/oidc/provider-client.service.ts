import { Injectable } from '@nestjs/common';
import * as client from 'openid-client';
import { AppError, unauthenticated } from '../../common/errors/app-error.js';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { type ProviderClaims, readProviderClaims } from './provider-claims.js';
import { hasPlausibleAge, isSubject } from './provider-jwt.js';
import { ProviderRequestError, providerUnavailable, readProviderJson, requestProvider } from './provider-request.js';
import type { SignInFlow } from './sign-in-flow.js';

/** Keycard as an OpenID Connect client: authorization code flow with PKCE (RFC 7636). */
@Injectable()
export class ProviderClientService {
  constructor(private readonly provider: IdentityProviderService) {}

  /**
   * Starts a sign-in.
   *
   * @returns the URL to send the browser to, and the flow to keep until the callback
   * @throws AppError 503 if the provider is unreachable
   */
  async begin(
    redirectUri: string,
    purpose: Pick<SignInFlow, 'returnTo' | 'invitationId'>,
  ): Promise<{ url: URL; flow: SignInFlow }> {
    const { configuration, settings } = await this.configure();
    const flow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
      redirectUri,
      ...purpose,
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: settings.scopes,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, flow };
  }

  /**
   * Finishes a sign-in and fetches the person's claims.
   *
   * @param search query of the callback URL
   * @throws AppError 401 if the response doesn't match the flow, 403 if the provider denied the sign-in, 503 if the
   *   provider is unreachable
   */
  async finish(flow: SignInFlow, search: string): Promise<ProviderClaims> {
    const { configuration, settings } = await this.configure();
    const url = new URL(flow.redirectUri);
    url.search = search;
    const checks = {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.codeVerifier,
      idTokenExpected: true,
    };
    const tokens = await client.authorizationCodeGrant(configuration, url, checks).catch((error: unknown) => {
      throw explain(error);
    });
    const claims = tokens.claims();
    if (claims === undefined) throw unauthenticated('sign-in-failed', 'The identity provider returned no ID token.');
    if (!isSubject(claims.sub) || !hasPlausibleAge(claims)) {
      throw unauthenticated('sign-in-failed', 'The ID token has an invalid claim "sub" or "iat".');
    }
    const profile = await this.provider.fetchProfile(tokens.access_token, claims.sub);
    return readProviderClaims(claims, profile, settings);
  }

  private async configure() {
    const { settings } = this.provider;
    if (settings?.clientId === undefined) throw new Error('No client of an identity provider is configured.');
    const { metadata } = await this.provider.discover();
    const { clientId, clientSecret } = settings;
    // Without a secret, Keycard is a public client.
    const authentication = clientSecret === undefined ? client.None() : authenticateWith(clientSecret, metadata);
    const configuration = new client.Configuration({ ...metadata }, clientId, undefined, authentication);
    configuration[client.customFetch] = async (url, { body, ...options }) => {
      const response = await requestProvider(url, { ...options, body: body ?? null }, settings.limits);
      if (response.ok) await readProviderJson(url, response.clone());
      return response;
    };
    if (new URL(settings.issuer).protocol === 'http:') client.allowInsecureRequests(configuration);
    client.enableNonRepudiationChecks(configuration);
    return { configuration, settings };
  }
}

/** Uses HTTP Basic where supported. It is the default if the metadata lists no methods. */
function authenticateWith(secret: string, metadata: object): client.ClientAuth {
  const methods: unknown = Reflect.get(metadata, 'token_endpoint_auth_methods_supported');
  const supportsBasic = !Array.isArray(methods) || methods.includes('client_secret_basic');
  return supportsBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

function explain(error: unknown): AppError {
  if (isUnreachable(error)) return providerUnavailable(error);
  if (Reflect.get(Object(error) as object, 'error') === 'access_denied') {
    return new AppError('access-denied', 'The identity provider denied the sign-in.', { cause: error });
  }
  return unauthenticated(
    'sign-in-failed',
    'The response from the identity provider is not valid. Sign in again.',
    error,
  );
}

/** Error codes of the client library for responses that aren't OAuth at all. */
const unusableResponses = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/** Whether the provider sent no usable response. The client library may have wrapped the reason. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderRequestError || errorMessage(error) === 'fetch failed') return true;
  if (unusableResponses.includes(errorCode(error) ?? '')) return true;
  const cause: unknown = Reflect.get(Object(error) as object, 'cause');
  return cause !== undefined && isUnreachable(cause);
}
