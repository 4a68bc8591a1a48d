import { Injectable } from '@nestjs/common';
import type { JWTVerifyGetKey } from 'jose';
import type { OidcConfig } from '../../config/read-config.js';
import { ServiceConfig } from '../../config/service-config.js';
import { fetchJson } from './fetch-json.js';
import { createProviderKeys } from './provider-keys.js';
import { reach } from './reach.js';

/** What a provider publishes of itself (OpenID Connect Discovery §3), as far as it is checked. */
export interface ProviderMetadata {
  issuer: string;
  jwks_uri: string;
  userinfo_endpoint?: string;
}

interface Discovered {
  metadata: ProviderMetadata;
  keys: JWTVerifyGetKey;
  /** By the process's clock, in milliseconds. */
  readAt: number;
}

const refreshMilliseconds = 60 * 60_000;

/**
 * The OpenID provider: what it publishes is read when it is first needed and kept, so that neither the start nor
 * anything that is already signed in depends on it.
 */
@Injectable()
export class IdentityProviderService {
  readonly settings: OidcConfig | undefined;
  private discovered: Discovered | undefined;
  private reading: Promise<Discovered> | undefined;

  constructor(config: ServiceConfig) {
    this.settings = config.oidc;
  }

  /**
   * Its metadata and keys. What is older than an hour is still returned, and read anew in the background.
   *
   * @throws AppError 503 when it has never been reached
   */
  async discover(): Promise<Discovered> {
    if (this.discovered === undefined) return this.read();
    if (Date.now() - this.discovered.readAt > refreshMilliseconds) {
      this.read().catch(() => {
        // The provider is down: what is known of it goes on being used.
      });
    }
    return this.discovered;
  }

  /**
   * What the userinfo endpoint tells of the holder of the access token; nothing when it does not take the token.
   *
   * @throws AppError 503 when it cannot be reached
   */
  async fetchProfile(accessToken: string, subject: string): Promise<object> {
    const { metadata } = await this.discover();
    if (metadata.userinfo_endpoint === undefined) return {};
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status, body } = await reach(() => fetchJson(String(metadata.userinfo_endpoint), headers));
    const isOfSubject = status === 200 && Reflect.get(body, 'sub') === subject;
    return isOfSubject ? body : {};
  }

  private read(): Promise<Discovered> {
    this.reading ??= this.readOnce().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readOnce(): Promise<Discovered> {
    if (this.settings === undefined) throw new Error('No identity provider is configured.');
    const { issuer } = this.settings;
    const metadata = await reach(() => readMetadata(issuer));
    const keys =
      this.discovered?.metadata.jwks_uri === metadata.jwks_uri
        ? this.discovered.keys
        : createProviderKeys(new URL(metadata.jwks_uri));
    this.discovered = { metadata, keys, readAt: Date.now() };
    return this.discovered;
  }
}

async function readMetadata(issuer: string): Promise<ProviderMetadata> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { status, body } = await fetchJson(url);
  if (status !== 200) throw new Error(`The identity provider answered ${status} to ${url}.`);
  if (Reflect.get(body, 'issuer') !== issuer) throw new Error(`${url} is not the metadata of OIDC_ISSUER.`);
  if (!URL.canParse(String(Reflect.get(body, 'jwks_uri')))) throw new Error(`${url} names no jwks_uri.`);
  return body as ProviderMetadata;
}
