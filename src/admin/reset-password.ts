import { PasswordReset } from '../auth/password-reset/password-reset.entity.js';
import { generateLinkToken, hashLinkToken } from '../common/link-token.js';
import type { AdminConfig } from '../config/read-config.js';
import { organizationIdsOf } from '../organizations/memberships.service.js';
import { accountTarget, type AdminCommand, CommandError, findAccount } from './admin-command.js';
import { inTransaction } from './in-transaction.js';

const expiresAt = () => "now() + interval '1 hour'";

export const resetPassword: AdminCommand = {
  parameters: ['EMAIL'],
  description: 'Print a link for setting a new password. It works once, for 1 hour, and replaces any earlier link.',
  audited: ['password.reset-link'],
  run: inTransaction(async ({ manager, config, record }, [email = '']) => {
    if (!config.passwordSignIn) {
      throw new CommandError('PASSWORD_SIGN_IN is off: accounts sign in through the identity provider.');
    }
    const account = await findAccount(manager, email);
    const token = generateLinkToken();
    await manager.delete(PasswordReset, { userId: account.id });
    await manager.insert(PasswordReset, { userId: account.id, tokenHash: hashLinkToken(token), expiresAt });
    for (const organizationId of await organizationIdsOf(manager, account.id)) {
      await record(organizationId, { action: 'password.reset-link', target: accountTarget(account) });
    }
    return [
      `Open this link to set a new password for ${account.email}:`,
      '',
      `  ${baseUrlOf(config)}/reset-password#token=${token}`,
      '',
      'It works once, for 1 hour. Setting the password signs the account out everywhere.',
    ].join('\n');
  }),
};

function baseUrlOf({ publicUrl, host, port }: AdminConfig): string {
  if (publicUrl !== undefined) return publicUrl;
  const wildcards: Partial<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const name = wildcards[host] ?? (host.includes(':') ? `[${host}]` : host);
  // With port 0, only the service's own output shows the port it got.
  return port === 0 ? 'http://HOST:PORT' : `http://${name}:${port}`;
}
