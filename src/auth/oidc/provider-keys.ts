import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { errorCode } from '../../common/errors/error-utils.js';
import type { ProviderLimits } from '../../config/provider-limits.js';
import { ProviderLoader } from './provider-loader.js';
import { fetchProviderJson, ProviderRequestError, providerUnavailable } from './provider-request.js';

interface KnownKeys {
  find: JWTVerifyGetKey;
  /** Process clock, in milliseconds. */
  readAt: number;
}

/** A key that the provider removes is rejected after this time, if the provider is reachable. */
const refreshMilliseconds = 5 * 60_000;
/** Tokens with an unknown key cause at most one request in this time. */
const unknownKeyMilliseconds = 10_000;

/** Errors caused by the token rather than the provider. */
const tokenFaults = ['ERR_JWKS_NO_MATCHING_KEY', 'ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'ERR_JOSE_NOT_SUPPORTED'];

/**
 * The provider's published keys: loaded when first needed, refreshed in the background every five minutes, and reloaded
 * immediately for a token with an unknown key. While the provider is down, the last known keys are used.
 *
 * @returns a function that finds a token's key; it throws AppError 503 if the keys can't be loaded
 */
export function createProviderKeys(url: string, limits: ProviderLimits): JWTVerifyGetKey {
  let known: KnownKeys | undefined;
  const loader = new ProviderLoader(async () => {
    known = { find: await fetchKeys(url, limits), readAt: Date.now() };
    return known;
  }, limits.cooldownMilliseconds);

  return async (header, token) => {
    const keys = known ?? (await loader.load());
    const age = Date.now() - keys.readAt;
    if (age > refreshMilliseconds) loader.refresh();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!tokenFaults.includes(errorCode(error) ?? '')) throw providerUnavailable(error);
      if (errorCode(error) !== 'ERR_JWKS_NO_MATCHING_KEY' || age < unknownKeyMilliseconds) throw error;
    }
    return (await loader.load()).find(header, token);
  };
}

async function fetchKeys(url: string, limits: ProviderLimits): Promise<JWTVerifyGetKey> {
  const keySet = (await fetchProviderJson(url, limits)) as JSONWebKeySet;
  const find = createLocalJWKSet(keySet);
  if (keySet.keys.length === 0) throw new ProviderRequestError(`${url} publishes no keys.`);
  return find;
}
