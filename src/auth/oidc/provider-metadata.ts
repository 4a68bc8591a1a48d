import type { OidcConfig } from '../../config/read-config.js';
import { fetchProviderJson, ProviderRequestError } from './provider-request.js';

/** A discovery document (OpenID Connect Discovery 1.0 §3) whose endpoints are valid. */
export interface ProviderMetadata {
  issuer: string;
  jwks_uri: string;
  userinfo_endpoint?: string;
}

/**
 * Fetches the discovery document and checks that it has everything Keycard needs.
 *
 * @throws ProviderRequestError if the document is unusable; an error of `fetch` if the provider is unreachable
 */
export async function fetchProviderMetadata({ issuer, clientId, limits }: OidcConfig): Promise<ProviderMetadata> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await fetchProviderJson(url, limits);
  if (Reflect.get(metadata, 'issuer') !== issuer) throw new ProviderRequestError(`${url} names another issuer.`);
  // Only interactive sign-in needs these two.
  const required = clientId === undefined ? [] : ['authorization_endpoint', 'token_endpoint'];
  for (const name of [...required, 'jwks_uri', 'userinfo_endpoint']) {
    const endpoint: unknown = Reflect.get(metadata, name);
    if (endpoint === undefined && name === 'userinfo_endpoint') continue;
    if (!isEndpoint(endpoint, issuer)) throw new ProviderRequestError(`${url} has no valid ${name}.`);
  }
  return metadata as ProviderMetadata;
}

/** Endpoints receive credentials, so a provider with TLS must use TLS for them. */
function isEndpoint(value: unknown, issuer: string): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && new URL(issuer).protocol === 'http:');
}
