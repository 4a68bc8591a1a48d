import { sessionMarkName } from '@rules/session-mark.js';

/**
 * Whether this browser has a session, as far as it knows: it may have been ended elsewhere. Without one there is nothing
 * to ask the service for. Scripts cannot see the cookie of the session, but the one that comes and goes with it.
 */
export function mayHoldSession(): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${sessionMarkName}=`));
}
