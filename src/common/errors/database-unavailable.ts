import { errorCode, errorMessage } from './error-utils.js';

/** Node's codes of network errors. */
const networkErrors =
  /^E(AI_AGAIN|ADDRNOTAVAIL|CONNABORTED|CONNREFUSED|CONNRESET|HOSTDOWN|HOSTUNREACH|NETDOWN|NETUNREACH|NOENT|NOTFOUND|PIPE|TIMEDOUT)$/;

/**
 * SQLSTATEs that no correct query causes on a healthy primary: lost or refused connections (08, 28, 3D000), a server
 * that is read-only or in recovery (25006), conflicts and deadlocks that a retry resolves (40001, 40P01), an unknown
 * outcome (40003), exhausted resources such as disk and connections (53), a database that accepts no connections (55000),
 * exceeded time limits (25P03, 25P04, 55P03, 57014), shutdown and failover (57), and I/O errors (58).
 */
const unavailableStates = /^(08...|25006|25P0[34]|28...|3D000|40001|40003|40P01|53...|55000|55P03|57...|58...)$/;

/** Errors of pg, its pool and TypeORM that have no code. */
const unavailableMessages =
  /connection (terminated|timeout)|timeout expired|timeout exceeded when trying to connect|query read timeout|cannot use a pool|not queryable|query runner (was )?already released/i;

/** Whether the database can't serve requests right now, as opposed to the query being wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return networkErrors.test(code) || unavailableStates.test(code) || unavailableMessages.test(errorMessage(error));
}

/** Whether a query exceeded its time limit: that of this process, or `statement_timeout`. */
export function isQueryTimeout(error: unknown): boolean {
  return errorCode(error) === '57014' || /query read timeout/i.test(errorMessage(error));
}
