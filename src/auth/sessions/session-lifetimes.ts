/** A session that is not refreshed for so long ends. */
export const idleSeconds = 14 * 24 * 60 * 60;

/** Every session ends after so long, however often it is refreshed. */
export const longestSeconds = 90 * 24 * 60 * 60;

/**
 * How long a refresh token that was just replaced is answered with the same successor again: two tabs that refresh
 * at the same moment, or a page that was reloaded before it got its answer, do not end the session.
 */
export const graceSeconds = 10;
