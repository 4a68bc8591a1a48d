import { generateLinkToken, hashLinkToken } from '../common/link-token.js';
import { PasswordReset } from '../auth/password-reset/password-reset.entity.js';
import { organizationIdsOf } from '../organizations/membership-queries.js';
import { accountTarget, type AdminCommand, CommandError, findAccount } from './admin-command.js';
import type { AdminConfig } from '../config/read-config.js';

/** By the database's clock. */
const expiresAt = () => "now() + interval '1 hour'";

export const resetPassword: AdminCommand = {
  parameters: ['EMAIL'],
  description: 'Print a link to set a new password. It works once, for 1 hour, and replaces an earlier link.',
  audited: ['password.reset-link'],
  run: async ({ manager, config, record }, [email = '']) => {
    if (!config.isPasswordSignInOn) {
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
      'It works once, for 1 hour. Setting the password ends all sessions of the account.',
    ].join('\n');
  },
};

function baseUrlOf({ publicUrl, host, port }: AdminConfig): string {
  if (publicUrl !== undefined) return publicUrl;
  const everywhere: Partial<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const name = everywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  // With port 0 the service takes a free one, which only its own output shows.
  return port === 0 ? 'http://HOST:PORT' : `http://${name}:${port}`;
}
