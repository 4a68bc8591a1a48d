import type { EntityManager } from 'typeorm';
import { normalizeEmail } from '../common/validation/email-address.js';
import { User } from '../organizations/user.entity.js';
import { CommandError } from './admin-command.js';

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
