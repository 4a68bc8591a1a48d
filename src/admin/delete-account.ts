import type { EntityManager } from 'typeorm';
import { hasAdministrator, takeTurn } from '../organizations/access-changes.service.js';
import { organizationIdsOf } from '../organizations/memberships.service.js';
import { rememberMember } from '../organizations/people/former-members.js';
import { Organization } from '../organizations/organization.entity.js';
import { User } from '../organizations/user.entity.js';
import { accountTarget, type AdminCommand, CommandError, findAccount } from './admin-command.js';
import { inTransaction } from './in-transaction.js';

export const deleteAccount: AdminCommand = {
  parameters: ['EMAIL'],
  description: 'Delete an account, its sessions and its memberships. Its API keys stay with the organization.',
  flags: { force: 'Delete the account even if an organization loses its last administrator.' },
  audited: ['account.delete'],
  run: inTransaction(async ({ manager, record }, [email = ''], flags) => {
    const account = await findAccount(manager, email);
    const organizationIds = await organizationIdsOf(manager, account.id);
    const administered: string[] = [];
    for (const id of organizationIds) {
      if (id === null) continue;
      await takeTurn(manager, id);
      if (await hasAdministrator(manager, id)) administered.push(id);
    }
    await rememberMember(manager, account.id);
    await manager.delete(User, { id: account.id });
    if (!flags.has('force')) await assertAdministered(manager, administered);
    for (const organizationId of organizationIds) {
      await record(organizationId, { action: 'account.delete', target: accountTarget(account) });
    }
    const isLast = !(await manager.existsBy(User, {}));
    return [
      `Deleted the account ${account.email}.`,
      ...(isLast ? ['No accounts are left: the next start creates the first administrator again.'] : []),
    ].join('\n');
  }),
};

async function assertAdministered(manager: EntityManager, organizationIds: string[]): Promise<void> {
  for (const id of organizationIds) {
    if (await hasAdministrator(manager, id)) continue;
    const { name } = await manager.findOneByOrFail(Organization, { id });
    throw new CommandError(
      `${JSON.stringify(name)} would have no administrator left. Run add-owner for another account first, or use --force.`,
    );
  }
}
