import type { EntityManager } from 'typeorm';
import type { Origin } from '../access/principal.js';
import type { AuditAction, AuditTargetKind } from '../audit/audit-actions.js';
import { normalizeEmail } from '../common/rules/email-address.js';
import type { AdminConfig } from '../config/read-config.js';
import { User } from '../organizations/user.entity.js';
import type { Progress } from './progress.js';

/** Passed to each command. */
export interface AdminContext {
  config: AdminConfig;
  /** Recorded as the actor of audit events. */
  operator: { id: null; email: string; origin: Origin };
  progress: Progress;
}

export interface AdminCommand {
  /** Argument names, as shown in the help. */
  parameters: string[];
  description: string;
  /** Descriptions by flag. */
  flags?: Record<string, string>;
  /** Options with a value, by name. */
  options?: Record<string, { value: string; description: string }>;
  /** The audit events it records. */
  audited: AuditAction[];
  /**
   * @returns the output
   * @throws CommandError if the command fails; it then changes nothing
   */
  run: (
    context: AdminContext,
    parameters: string[],
    flags: ReadonlySet<string>,
    options: Readonly<Partial<Record<string, string>>>,
  ) => Promise<string>;
}

/** A command that fails for a reason the operator can fix. The message is printed as is. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** What a check found. Not printed as an error, so that it can be piped. */
export class DifferencesFound extends CommandError {
  override name = 'DifferencesFound';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The audit target for an account. */
export const accountTarget = ({ id, email }: { id: string; email: string }) =>
  ({ kind: 'user' satisfies AuditTargetKind, id, name: email }) as const;

/**
 * Finds the account with this email and locks it until the transaction ends.
 *
 * @throws CommandError if there is none
 */
export async function findAccount(manager: EntityManager, email: string): Promise<User> {
  const account = await manager.findOne(User, {
    where: { email: normalizeEmail(email) },
    lock: { mode: 'pessimistic_write' },
  });
  if (account !== null) return account;
  throw new CommandError(`No account has the email ${JSON.stringify(email)}. list-accounts shows all accounts.`);
}
