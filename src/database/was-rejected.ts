import pg from 'pg';
import { errorCode } from '../common/errors/error-utils.js';
import { UnusableServerError } from './prepare-session.js';

/** Node's codes of connections that were never established, and SQLSTATEs of an unknown outcome. */
const neverConnected = /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
const unknownOutcome = /^(57P..|40003|08...)$/;

/** Whether the error of a statement proves that it changed nothing. */
export function wasRejected(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  if (error instanceof UnusableServerError) return true;
  if (error instanceof pg.DatabaseError) return !unknownOutcome.test(code);
  return neverConnected.test(code);
}
