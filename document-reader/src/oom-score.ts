import { existsSync } from 'node:fs';
import type { WorkerSandbox } from './worker-sandbox.js';

const file = '/proc/self/oom_score_adj';
const shell = '/bin/sh';
/** The highest value. Every process may raise its own, but not lower it again. */
const score = 1000;

/**
 * Makes a program the first that the kernel ends when memory runs out, instead of the parent or others. A shell does it
 * as the worker's user: the parent may not write to a process of another user, and Node's permissions keep workers
 * from writing files. What shells add to the environment is removed again.
 */
export function endFirst(command: WorkerSandbox['command']): WorkerSandbox['command'] {
  if (!existsSync(file) || !existsSync(shell)) return command;
  return [shell, '-c', `{ echo ${score} >${file}; } 2>/dev/null; unset PWD OLDPWD SHLVL; exec "$@"`, 'sh', ...command];
}
