import { addOwner } from './add-owner.js';
import type { AdminCommand } from './admin-command.js';
import { deleteAccount } from './delete-account.js';
import { listAccounts } from './list-accounts.js';
import { resetPassword } from './reset-password.js';

/** The commands of `npm run admin`, by name. */
export const adminCommands: Readonly<Record<string, AdminCommand>> = {
  'reset-password': resetPassword,
  'list-accounts': listAccounts,
  'delete-account': deleteAccount,
  'add-owner': addOwner,
};
