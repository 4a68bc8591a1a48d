import type { ServiceConfig } from '../../config/service-config.js';

/**
 * SQL for the current time, by the database's clock. Not `now()`, which is the start of the transaction: after waiting
 * for a lock, it would accept a session that has expired since. New rows alone use `now()`, the default of `createdAt`,
 * so that their lifetime is exact.
 */
export const currentTime = 'clock_timestamp()';

/** A session that isn't refreshed for this long ends. */
export const idleSeconds = 14 * 24 * 60 * 60;

/** Every session ends after this time, even if it is refreshed. */
export const longestSeconds = 90 * 24 * 60 * 60;

/**
 * The same for sessions opened by single sign-on (`OIDC_SESSION_HOURS`), because the provider may have closed the
 * account since. 0 if no provider is configured any longer.
 */
export function longestSsoSeconds({ oidc }: Pick<ServiceConfig, 'oidc'>): number {
  return (oidc?.sessionHours ?? 0) * 60 * 60;
}

/**
 * For how long a refresh token that was just replaced returns the same successor, so that two tabs that refresh at the
 * same moment, or a page reloaded before the response arrived, don't end the session.
 */
export const graceSeconds = 10;
