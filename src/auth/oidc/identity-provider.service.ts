import { Injectable } from '@nestjs/common';
import type { JWTVerifyGetKey } from 'jose';
import type { OidcConfig } from '../../config/read-config.js';
import { ServiceConfig } from '../../config/service-config.js';
import { createProviderKeys } from './provider-keys.js';
import { ProviderLoader } from './provider-loader.js';
import { fetchProfile } from './provider-profile.js';
import { fetchProviderJson, ProviderRequestError } from './provider-request.js';

/** A discovery document (OpenID Connect Discovery 1.0 §3) whose endpoints are valid. */
interface ProviderMetadata {
  issuer: string;
  jwks_uri: string;
  userinfo_endpoint?: string;
}

interface Discovered {
  metadata: ProviderMetadata;
  keys: JWTVerifyGetKey;
  /** Process clock, in milliseconds. */
  readAt: number;
}

const refreshMilliseconds = 60 * 60_000;

/**
 * The OpenID provider. Its discovery document is read when first needed and then kept, so neither startup nor existing
 * sessions depend on the provider.
 */
@Injectable()
export class IdentityProviderService {
  readonly settings: OidcConfig | undefined;
  private readonly loader: ProviderLoader<Discovered>;
  private discovered: Discovered | undefined;

  constructor({ oidc }: ServiceConfig) {
    this.settings = oidc;
    this.loader = new ProviderLoader(() => this.readOnce(), oidc?.limits.cooldownMilliseconds ?? 0);
  }

  /**
   * The provider's metadata and keys. Metadata older than an hour is still returned, and refreshed in the background.
   *
   * @throws AppError 503 if no valid metadata has been read yet
   */
  async discover(): Promise<Discovered> {
    if (this.discovered === undefined) return this.loader.load();
    if (Date.now() - this.discovered.readAt > refreshMilliseconds) this.loader.refresh();
    return this.discovered;
  }

  /**
   * Fetches claims from the userinfo endpoint. Empty only if there is no such endpoint or `OIDC_USERINFO` is `off`.
   *
   * @throws AppError 403 if the provider rejects the access token; 503 for any other response but the subject's
   *   claims
   */
  async fetchProfile(accessToken: string, subject: string): Promise<object> {
    const { settings } = this;
    if (settings?.userinfo !== true) return {};
    const { metadata, keys } = await this.discover();
    if (metadata.userinfo_endpoint === undefined) return {};
    const { issuer, limits } = settings;
    return fetchProfile(metadata.userinfo_endpoint, { accessToken, subject, issuer, keys, limits });
  }

  private async readOnce(): Promise<Discovered> {
    if (this.settings === undefined) throw new Error('No identity provider is configured.');
    const metadata = await fetchProviderMetadata(this.settings);
    const keys =
      this.discovered?.metadata.jwks_uri === metadata.jwks_uri
        ? this.discovered.keys
        : createProviderKeys(metadata.jwks_uri, this.settings.limits);
    this.discovered = { metadata, keys, readAt: Date.now() };
    return this.discovered;
  }
}

/**
 * Fetches the discovery document and checks that it has everything Keycard needs.
 *
 * @throws ProviderRequestError if the document is unusable; an error of `fetch` if the provider is unreachable
 */
async function fetchProviderMetadata({ issuer, clientId, limits }: OidcConfig): Promise<ProviderMetadata> {
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
