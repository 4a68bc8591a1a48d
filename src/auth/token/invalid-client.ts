import { AppError } from '../../common/errors/app-error.js';

/** A 401 with the challenge that RFC 6749 §5.2 requires. */
export function invalidClient(detail: string): AppError {
  return new AppError('invalid-client', detail, { headers: { 'www-authenticate': 'Basic realm="keycard"' } });
}
