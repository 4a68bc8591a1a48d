import { Injectable } from '@nestjs/common';
import * as client from 'openid-client';
import { AppError, unauthenticated } from '../../common/errors/app-error.js';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { type ProviderClaims, readProviderClaims } from './provider-claims.js';
import { ProviderRequestError, providerUnavailable, readProviderJson, requestProvider } from './provider-request.js';
import type { SignInFlow } from './sign-in-flow.js';

/** Keycard as a client of the identity provider: authorization code with PKCE (RFC 7636). */
@Injectable()
export class ProviderClientService {
  constructor(private readonly provider: IdentityProviderService) {}

  /**
   * Where to send the browser, and what to remember until it comes back.
   *
   * @throws AppError 503 when the provider cannot be reached
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
   * What the provider says of who has come back.
   *
   * @param search the query of the URL that the provider has sent the browser to
   * @throws AppError 401 when the provider refuses or its answer does not fit the flow, 503 when it is unreachable
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
    const profile = await this.provider.fetchProfile(tokens.access_token, claims.sub);
    return readProviderClaims(claims, profile, settings);
  }

  private async configure() {
    const { settings } = this.provider;
    if (settings?.clientId === undefined) throw new Error('No client of an identity provider is configured.');
    const { metadata } = await this.provider.discover();
    const { clientId, clientSecret } = settings;
    // The client library looks at how the provider wants the secret; a public client has none to send.
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

/** In the header where the provider takes that, which is also what it takes when it says nothing. */
function authenticateWith(secret: string, metadata: object): client.ClientAuth {
  const methods: unknown = Reflect.get(metadata, 'token_endpoint_auth_methods_supported');
  const takesBasic = !Array.isArray(methods) || methods.includes('client_secret_basic');
  return takesBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

function explain(error: unknown): AppError {
  if (isUnreachable(error)) return providerUnavailable(error);
  if (Reflect.get(Object(error) as object, 'error') === 'access_denied') {
    return new AppError('access-denied', 'The sign-in was refused at the identity provider.', { cause: error });
  }
  return unauthenticated('sign-in-failed', 'The answer of the identity provider does not fit; sign in again.', error);
}

/** What the client library reports of a response that is not OAuth at all. */
const unusableResponses = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/** Whether the provider failed to respond as it must; the client library may have wrapped the reason. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderRequestError || errorMessage(error) === 'fetch failed') return true;
  if (unusableResponses.includes(errorCode(error) ?? '')) return true;
  const cause: unknown = Reflect.get(Object(error) as object, 'cause');
  return cause !== undefined && isUnreachable(cause);
}
