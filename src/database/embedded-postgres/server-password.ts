import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../common/errors/error-utils.js';
import { StartupError } from '../../common/startup-error.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { FaultTolerantClient } from '../fault-tolerant-client.js';
import { databaseUser } from './cluster.js';
import type { ServerHome } from './server-home.js';

const trusting = /^(\s*(?:local|host\w*)\s.*\s)trust(\s*)$/gm;

/** Loads the password of the server's only user, kept next to the cluster; generates it once (file mode 600). */
export function loadOrCreatePassword({ folder }: ServerHome): string {
  const file = passwordFile(folder);
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, randomBytes(32).toString('base64url'), { mode: 0o600 });
    // Doesn't replace the file of a process that was faster.
    linkSync(temporary, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Switches a server that still trusts its socket, because it is new or from an earlier release, to password
 * authentication. Every step is idempotent: if a start is interrupted, the next one completes it.
 */
export async function requirePassword({ cluster }: ServerHome, connection: DatabaseConnection): Promise<void> {
  const file = path.join(cluster, 'pg_hba.conf');
  const rules = readFileSync(file, 'utf8');
  const strict = rules.replace(trusting, '$1scram-sha-256$2');
  if (strict === rules) return;
  const client = new FaultTolerantClient(connection);
  await client.connect();
  try {
    await client.query(`ALTER ROLE ${databaseUser} PASSWORD ${client.escapeLiteral(connection.password)}`);
    replaceFile(file, strict);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
}

/** The server rejects the password: its file was lost or replaced. */
export function wrongPassword({ folder, cluster }: ServerHome): StartupError {
  return new StartupError(
    `The embedded PostgreSQL rejects the password in ${passwordFile(folder)}: restore that file, or stop the server, ` +
      `replace scram-sha-256 with trust in ${path.join(cluster, 'pg_hba.conf')} and start Keycard, which resets the password.`,
  );
}

const passwordFile = (folder: string) => path.join(folder, 'password');

/** Keeps owner and mode, since PostgreSQL may run as another user. */
function replaceFile(file: string, text: string): void {
  const { uid, gid, mode } = statSync(file);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode });
  if (process.getuid?.() === 0) chownSync(temporary, uid, gid);
  renameSync(temporary, file);
}
