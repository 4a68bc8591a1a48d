import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { errorCode } from '../../common/errors/error-facts.js';
import { providerUnavailable } from './reach.js';

/** A key that the provider has withdrawn is refused after this long, as long as the provider can be reached. */
const refreshMilliseconds = 5 * 60_000;
/** A token that names an unknown key makes Keycard ask for the keys at most this often. */
const cooldownMilliseconds = 10_000;

/** What is wrong with the token rather than with the provider. */
const tokenFaults = ['ERR_JWKS_NO_MATCHING_KEY', 'ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'ERR_JOSE_NOT_SUPPORTED'];

/**
 * The keys that the provider publishes: fetched when first needed, again in the background every five minutes, and
 * at once when a token names one that is not known. While the provider is down, those known last are used.
 *
 * @returns finds the key of a token; throws AppError 503 when the keys cannot be fetched
 */
export function createProviderKeys(url: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, { cacheMaxAge: Infinity, cooldownDuration: cooldownMilliseconds });
  let refreshAt = Date.now() + refreshMilliseconds;
  return async (header, token) => {
    if (Date.now() > refreshAt) {
      refreshAt = Date.now() + refreshMilliseconds;
      keys.reload().catch(() => {
        // The provider is down: the keys known last are used.
      });
    }
    try {
      return await keys(header, token);
    } catch (error) {
      if (tokenFaults.includes(errorCode(error) ?? '')) throw error;
      throw providerUnavailable(error);
    }
  };
}
