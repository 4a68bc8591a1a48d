import 'reflect-metadata';
import { hostname, userInfo } from 'node:os';
import { CommandError, DifferencesFound } from './admin/admin-command.js';
import { describeUsage, type Invocation, parseArguments, UsageError } from './admin/parse-arguments.js';
import { operatorEmail } from './audit/audit-actions.js';
import { Progress } from './admin/progress.js';
import { StartupError } from './common/startup-error.js';
import { ignorePostgresVariables } from './config/database-connection.js';
import { readAdminConfig, readEnvironment } from './config/read-config.js';

/** `npm run admin`. Exit codes: 0 success, 1 failure, 2 wrong usage, 3 a manipulated audit log. */
async function main(words: string[]): Promise<number> {
  try {
    const ignored = ignorePostgresVariables();
    if (ignored !== undefined) console.warn(ignored);
    const invocation = parseArguments(words);
    console.log(invocation === undefined ? describeUsage() : await execute(invocation));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${describeUsage()}`);
      return 2;
    }
    if (error instanceof DifferencesFound) {
      console.log(error.message);
      return error.exitCode;
    }
    const isExpected = error instanceof CommandError || error instanceof StartupError;
    console.error(isExpected ? error.message : error);
    return 1;
  }
}

async function execute({ command, name, parameters, flags, options }: Invocation): Promise<string> {
  const origin = { address: 'command line', userAgent: `admin ${name}, run by ${operator()}` };
  const context = {
    config: readAdminConfig(readEnvironment()),
    operator: { id: null, email: operatorEmail, origin },
    progress: new Progress(process.stderr),
  };
  return command.run(context, parameters, flags, options);
}

/** The operating system's user, by name if it has one. */
function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.()}@${hostname()}`;
  }
}

process.exitCode = await main(process.argv.slice(2));
