import { ServiceError } from '../../../api/service-error.js';
import { session } from '../../../session/session.js';

/**
 * Whether the browser has a usable session. Users without an organization have none, and an invitation is what gives
 * them one.
 */
export async function isSignedIn(): Promise<boolean> {
  try {
    await session.resume();
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'no-organization')) throw error;
  }
  return session.status.get() === 'signed-in';
}
