import type { ServiceConfig } from '../../config/service-config.js';

/**
 * SQL for the current time, by the database's clock. Not `now()`, which is the start of the transaction: after waiting
 * for a lock, it would accept a session that has expired since. New rows alone use `now()`, the default of `createdAt`,
 * so that their lifetime is exact.
 */
export const currentTime = 'clock_timestamp()';

/** A session that is not refreshed for this long ends. */
export const idleSeconds = 14 * 24 * 60 * 60;

/** Every session ends after this time, however often it is refreshed. */
export const longestSeconds = 90 * 24 * 60 * 60;

/**
 * The same for sessions opened by single sign-on (`OIDC_SESSION_HOURS`): the provider may have closed the account since.
 * 0 when no provider is configured any longer.
 */
export function longestSsoSeconds({ oidc }: Pick<ServiceConfig, 'oidc'>): number {
  return (oidc?.sessionHours ?? 0) * 60 * 60;
}

/**
 * How long a refresh token that was just replaced gets the same successor again: two tabs that refresh at the same
 * moment, or a page reloaded before it received the response, do not end the session.
 */
export const graceSeconds = 10;
