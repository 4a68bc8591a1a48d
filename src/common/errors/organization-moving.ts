import { type AppError, unavailable } from './app-error.js';
import { errorCode } from './error-utils.js';

/** SQLSTATE with which the database refuses changes of an organization that is moving. */
const movingState = 'KCMOV';

/** A 503 for the seconds in which an organization moves to another database. */
export function organizationMoving(cause?: unknown): AppError {
  const detail = 'The organization is moving to another Keycard. Try again shortly.';
  return unavailable('organization-moving', detail, 1, cause);
}

/** Whether the database refused a change because the organization is moving. */
export const isOrganizationMoving = (error: unknown) => errorCode(error) === movingState;
