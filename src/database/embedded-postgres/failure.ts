import { errorCode, errorMessage } from '../../common/errors/error-facts.js';
import { StartupError } from '../../common/startup-error.js';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file of that name is in the way',
  ENOENT: 'it does not exist',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ENOMEM: 'memory ran out',
  EAGAIN: 'this machine cannot start more processes',
};

/** What went wrong, in a few words for the operator. */
export function reason(error: unknown): string {
  const known = reasons[errorCode(error) ?? ''];
  if (known !== undefined) return known;
  const text = errorMessage(error);
  return text.split('\n', 1)[0] || 'the cause is unknown';
}

/** An error of the operating system as one sentence: what could not be done, why, and what to do. */
export function failure(what: string, error: unknown, advice: string): StartupError {
  return error instanceof StartupError ? error : new StartupError(`${what}: ${reason(error)}; ${advice}.`);
}

/** The line of a PostgreSQL program's output that says why it ended. */
export function lastComplaint(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const complaint = lines.findLast((line) => /\b(FATAL|PANIC|ERROR|error):\s/.test(line)) ?? lines.at(-1);
  return complaint?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s+/, '') ?? 'it said nothing';
}
