import { type AppError, unavailable } from '../../common/errors/app-error.js';
import { UnusableServerError } from '../prepare-session.js';

/** What operators read in the log, in `/health/ready`, and when a replica can't start. */
export const lostHistory =
  'The database went back in time: it lacks changes that were confirmed, so deleted API keys may be in it again. Keycard ' +
  "doesn't use it. Make the server that has the changes the primary again. If you restored a backup on purpose, run: " +
  'npm run admin -- accept-history';

/** The database lacks what was confirmed. */
export class LostHistoryError extends UnusableServerError {
  override name = 'LostHistoryError';

  constructor() {
    // SQLSTATE object_not_in_prerequisite_state.
    super(lostHistory, '55000');
  }
}

/** The primary may have a successor. */
export class UnconfirmedPrimaryError extends UnusableServerError {
  override name = 'UnconfirmedPrimaryError';

  constructor(leaseSeconds: number) {
    const detail = `PostgreSQL has confirmed no commit for ${leaseSeconds} seconds (PRIMARY_LEASE_SECONDS).`;
    // SQLSTATE cannot_connect_now.
    super(`${detail} Check that a synchronous standby is connected.`, '57P03');
  }
}

/** A 503 for a change. */
export function notSettled(): AppError {
  const detail = "The database has just moved to another server, which doesn't confirm changes yet. Try again shortly.";
  return unavailable('database-unavailable', detail, 1);
}
