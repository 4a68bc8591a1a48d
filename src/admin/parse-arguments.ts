import { parseArgs } from 'node:util';
import { errorMessage } from '../common/errors/error-utils.js';
import { verifyAudit } from './audit/verify.js';
import { acceptHistory } from './accept-history.js';
import { addOwner } from './add-owner.js';
import type { AdminCommand } from './admin-command.js';
import { backup } from './backup/backup.js';
import { checkBackup } from './backup/check-backup.js';
import { restore } from './backup/restore.js';
import { exportOrganization } from './cells/export-organization.js';
import { moveOrganization } from './cells/move-organization.js';
import { deleteAccount } from './delete-account.js';
import { listAccounts } from './list-accounts.js';
import { migrate } from './migrate/migrate.js';
import { checkPrices } from './prices/check-prices.js';
import { resetPassword } from './reset-password.js';

/** The commands of `npm run admin`, by name, which has one or two words. */
export const adminCommands: Readonly<Record<string, AdminCommand>> = {
  'reset-password': resetPassword,
  'list-accounts': listAccounts,
  'delete-account': deleteAccount,
  'add-owner': addOwner,
  backup,
  'check-backup': checkBackup,
  restore,
  'accept-history': acceptHistory,
  'move-organization': moveOrganization,
  'export-organization': exportOrganization,
  migrate,
  'prices check': checkPrices,
  'audit verify': verifyAudit,
};

export interface Invocation {
  name: string;
  command: AdminCommand;
  parameters: string[];
  flags: ReadonlySet<string>;
  options: Readonly<Partial<Record<string, string>>>;
}

/** An invalid command line. The message is one sentence. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * Parses the arguments after `npm run admin --`.
 *
 * @returns undefined if help is requested
 * @throws UsageError
 */
export function parseArguments(words: string[]): Invocation | undefined {
  const [first, ...others] = words;
  if (first === undefined) throw new UsageError('A command is missing.');
  if (first === 'help' || words.some((word) => ['--help', '-h'].includes(word))) return undefined;
  const pair = words.slice(0, 2).join(' ');
  const [name, rest] = Object.hasOwn(adminCommands, pair) ? [pair, words.slice(2)] : [first, others];
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined;
  if (command === undefined) throw new UsageError(`Unknown command: ${name}.`);
  const { parameters, flags, options } = parse(command, rest);
  if (parameters.length !== command.parameters.length) {
    const expected = command.parameters.length === 0 ? 'no arguments' : command.parameters.join(' ');
    throw new UsageError(`${name} takes ${expected}.`);
  }
  return { name, command, parameters, flags, options };
}

function parse(
  { flags = {}, options = {} }: AdminCommand,
  words: string[],
): Pick<Invocation, 'parameters' | 'flags' | 'options'> {
  const known = {
    ...Object.fromEntries(Object.keys(flags).map((flag) => [flag, { type: 'boolean' } as const])),
    ...Object.fromEntries(Object.keys(options).map((option) => [option, { type: 'string' } as const])),
  };
  try {
    const { positionals, values } = parseArgs({ args: words, options: known, allowPositionals: true });
    const given = Object.entries(values);
    return {
      parameters: positionals,
      flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
      options: Object.fromEntries(given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
    };
  } catch (error) {
    throw new UsageError(errorMessage(error).split('. ', 1)[0]?.replace(/\.?$/, '.') ?? '');
  }
}

/** The text of `--help`. */
export function describeUsage(): string {
  const lines = Object.entries(adminCommands).flatMap(
    ([name, { parameters, description, flags = {}, options = {} }]) => [
      `  ${[name, ...parameters].join(' ')}`,
      `      ${description}`,
      ...Object.entries(flags).map(([flag, text]) => `      --${flag}: ${text}`),
      ...Object.entries(options).map(([option, { value, description: text }]) => `      --${option} ${value}: ${text}`),
    ],
  );
  return ['Usage: npm run admin -- COMMAND', '', ...lines].join('\n');
}
