import type { ServiceConfig } from '../../config/service-config.js';

/** A session that isn't refreshed for this long ends. */
export const idleSeconds = 14 * 24 * 60 * 60;

/** Every session ends after this time, even if it is refreshed. */
export const maxSeconds = 90 * 24 * 60 * 60;

/**
 * Maximum duration of sessions opened by single sign-on (`OIDC_SESSION_HOURS`). Limited separately, because the provider
 * may have closed the account since. 0 if no provider is configured anymore.
 */
export function maxSsoSeconds({ oidc }: Pick<ServiceConfig, 'oidc'>): number {
  return (oidc?.sessionHours ?? 0) * 60 * 60;
}

/**
 * How long a replaced refresh token keeps returning the same successor. Two tabs that refresh at the same moment, or a
 * page reloaded before the response arrived, then don't end the session.
 */
export const graceSeconds = 10;
