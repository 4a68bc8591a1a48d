import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { StartupError } from '../../common/startup-error.js';
import { reason } from './failure.js';

/** The user PostgreSQL runs as. */
export interface ServerUser {
  uid: number;
  gid: number;
  name: string;
}

interface Identity {
  uid?: number;
  gid?: number;
}

/**
 * Returns the user to run PostgreSQL as, or undefined for Keycard's own user. PostgreSQL refuses to run as root; if Keycard
 * runs as root, this is the owner of the folder if it isn't root, or else `postgres` or `nobody`.
 */
export function serverUser(folder: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = parsePasswd(readPasswd());
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find(({ uid }) => uid === owner.uid)?.name ?? String(owner.uid);
    return { uid: owner.uid, gid: owner.gid, name };
  }
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  if (user === undefined) {
    throw new StartupError(
      'PostgreSQL refuses to run as root, and there is no user named postgres or nobody to run it as; ' +
        'start Keycard as another user or set DATABASE_URL.',
    );
  }
  return user;
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

/** Parses `/etc/passwd`. macOS writes large IDs as negative numbers. */
export function parsePasswd(text: string): ServerUser[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && !fields[0]?.startsWith('#'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
}

/** Options for `spawn`, which takes IDs as signed numbers. */
export function identityOf(user: ServerUser | undefined): Identity {
  return user === undefined ? {} : { uid: user.uid | 0, gid: user.gid | 0 };
}

/** Whether the user can enter the folder. Tried by a process of that user, so that all access rules apply. */
export function canEnter(folder: string, user: ServerUser | undefined): boolean {
  const { status, error } = spawnSync('/bin/sh', ['-c', 'cd "$1" && cd /', 'sh', folder], {
    ...identityOf(user),
    cwd: '/',
    env: {},
    stdio: 'ignore',
  });
  if (error !== undefined) {
    throw new StartupError(
      `PostgreSQL refuses to run as root, and Keycard cannot start a process as user ${user?.name ?? 'itself'}: ` +
        `${reason(error)}; start Keycard as another user or set DATABASE_URL.`,
    );
  }
  return status === 0;
}

/** Whether the user can run the program, including access to its libraries. */
export function canRun(program: string, user: ServerUser | undefined): boolean {
  const { status } = spawnSync(program, ['--version'], { ...identityOf(user), cwd: '/', env: {}, stdio: 'ignore' });
  return status === 0;
}
