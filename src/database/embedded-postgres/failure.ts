import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import { StartupError } from '../../common/startup-error.js';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'part of the path is not a directory',
  EEXIST: 'a file with that name exists',
  ENOENT: 'it does not exist',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open on this machine',
  ENOMEM: 'the machine is out of memory',
  EAGAIN: 'this machine cannot start more processes',
  // PostgreSQL's SQLSTATE disk_full.
  '53100': 'the disk is full',
};

/** Describes an error in a few words for the operator. */
export function reason(error: unknown): string {
  const known = reasons[errorCode(error) ?? ''];
  if (known !== undefined) return known;
  const text = errorMessage(error);
  return text.split('\n', 1)[0] || 'the cause is unknown';
}

/** Turns an error of the operating system into one sentence: what failed, why, and what to do. */
export function failure(what: string, error: unknown, advice: string): StartupError {
  return error instanceof StartupError ? error : new StartupError(`${what}: ${reason(error)}; ${advice}.`);
}

/** PostgreSQL's last message may be about the consequences, such as "cannot abort transaction 1". */
const causes: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/No space left on device/, 'the disk is full'],
  [/Disk quota exceeded/, 'the disk quota is used up'],
  [/Read-only file system/, 'the file system is read-only'],
];

/** Returns the reason for exiting from a PostgreSQL program's output. */
export function lastErrorMessage(output: string): string {
  const cause = causes.find(([pattern]) => pattern.test(output));
  if (cause !== undefined) return cause[1];
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.findLast((text) => /\b(FATAL|PANIC|ERROR|error):\s/.test(text)) ?? lines.at(-1);
  return line?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s+/, '') ?? 'it printed nothing';
}
