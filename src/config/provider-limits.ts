/** Limits for requests to the identity provider. */
export interface ProviderLimits {
  /** For one request, including its body. */
  timeoutMilliseconds: number;
  /** Size of a response body, decompressed. */
  bytes: number;
  /** Pause after discovery or the key set failed to load, during which neither is requested again. */
  cooldownMilliseconds: number;
}

export const providerLimits: ProviderLimits = {
  timeoutMilliseconds: 10_000,
  bytes: 1_000_000,
  cooldownMilliseconds: 5000,
};
