import type { ServiceConfig } from '../../config/service-config.js';

/** A session that isn't refreshed for this long ends. */
export const idleSeconds = 14 * 24 * 60 * 60;

/** Every session ends after this time, even if it is refreshed. */
export const maxSeconds = 90 * 24 * 60 * 60;

/**
 * The same for sessions opened by single sign-on (`OIDC_SESSION_HOURS`), because the provider may have closed the
 * account since. 0 if no provider is configured any longer.
 */
export function maxSsoSeconds({ oidc }: Pick<ServiceConfig, 'oidc'>): number {
  return (oidc?.sessionHours ?? 0) * 60 * 60;
}

/**
 * For how long a refresh token that was just replaced returns the same successor, so that two tabs that refresh at the
 * same moment, or a page reloaded before the response arrived, don't end the session.
 */
export const graceSeconds = 10;
