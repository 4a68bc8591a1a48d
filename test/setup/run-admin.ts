import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArguments } from '../../src/admin/parse-arguments.js';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { Progress } from '../../src/admin/progress.js';
import { readAdminConfig } from '../../src/config/read-config.js';
import { builtProgram } from './built-service.js';
import { toUrl } from './test-database.js';

const origin = { address: 'command line', userAgent: undefined };
/** Recorded as the actor of audit events. */
export const operator = { id: null, email: 'Operator (command line)', origin } as const;
const progress = new Progress({ write: () => undefined });

/** Runs a command of `npm run admin` in this process, and returns its output. */
export function runAdmin(database: DatabaseConnection, ...words: string[]): Promise<string> {
  return runAdminWith({ DATABASE_URL: toUrl(database) }, ...words);
}

/** The same with environment variables. */
export async function runAdminWith(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const invocation = parseArguments(words);
  if (invocation === undefined) throw new Error('This is no command.');
  const config = readAdminConfig(environment);
  const { command, parameters, flags, options } = invocation;
  return command.run({ config, operator, progress }, parameters, flags, options);
}

/** Runs `npm run admin -- …` in a separate process. */
export async function spawnAdmin(environment: Record<string, string>, ...parameters: string[]) {
  const child = spawn(process.execPath, [builtProgram('admin'), ...parameters], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await exited)[0], printed, errors };
}
