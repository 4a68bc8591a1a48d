import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const searchPath = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];

/** Returns the path of a program, or undefined and prints that tests don't run because of it. */
export function findProgram(name: string): string | undefined {
  const found = searchPath.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) process.stderr.write(`Not tested with ${name}: it isn't installed.\n`);
  return found;
}

/** Runs a program that checks a file, and returns what it prints, which is empty if it's satisfied. */
export function complaintsOf(program: string, argv: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, argv, { encoding: 'utf8' });
  return status === 0 ? stderr : `${stdout}${stderr}`;
}

/** Runs a shell command in a folder. */
export function runShell(command: string, cwd: string): string {
  return execFileSync('/bin/sh', ['-euc', command], { cwd, encoding: 'utf8' });
}
