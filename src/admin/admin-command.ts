import type { EntityManager } from 'typeorm';
import type { AuditAction, AuditTargetKind } from '../audit/audit-actions.js';
import type { AuditEntry } from '../audit/audit.service.js';
import type { AdminConfig } from '../config/read-config.js';
import { normalizeEmail } from '../common/validation/email-address.js';
import { User } from '../organizations/user.entity.js';

/** What a command works with. */
export interface AdminContext {
  /** Of the transaction that the whole command runs in. */
  manager: EntityManager;
  config: AdminConfig;
  /** Writes an audit event of the operator; `organizationId` is null where no organization is concerned. */
  record: (organizationId: string | null, entry: AuditEntry) => Promise<void>;
}

export interface AdminCommand {
  /** Names of the arguments, as the help shows them. */
  parameters: string[];
  description: string;
  /** Flags, with their descriptions. */
  flags?: Record<string, string>;
  /** The audit events that it writes. */
  audited: AuditAction[];
  /**
   * @returns what to print
   * @throws CommandError when it cannot be done; nothing is changed then
   */
  run: (context: AdminContext, parameters: string[], flags: ReadonlySet<string>) => Promise<string>;
}

/** A command that cannot be carried out. The message is one sentence for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** An audit target; `name` is the email of an account. */
export const accountTarget = ({ id, email }: { id: string; email: string }) =>
  ({ kind: 'user' satisfies AuditTargetKind, id, name: email }) as const;

/**
 * The account with this email, locked to the end of the transaction.
 *
 * @throws CommandError when there is none
 */
export async function findAccount(manager: EntityManager, email: string): Promise<User> {
  const account = await manager.findOne(User, {
    where: { email: normalizeEmail(email) },
    lock: { mode: 'pessimistic_write' },
  });
  if (account !== null) return account;
  throw new CommandError(`No account has the email ${JSON.stringify(email)}. list-accounts shows all accounts.`);
}
