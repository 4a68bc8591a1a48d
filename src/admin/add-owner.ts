import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { allPermissions } from '../access/permissions.js';
import { takeTurn } from '../organizations/access-changes.service.js';
import { Membership } from '../organizations/membership.entity.js';
import { Organization } from '../organizations/organization.entity.js';
import { ProvisionedMembership } from '../organizations/provisioned-membership.entity.js';
import { Role } from '../organizations/role.entity.js';
import { accountTarget, type AdminCommand, CommandError, findAccount } from './admin-command.js';
import { inTransaction } from './in-transaction.js';

export const addOwner: AdminCommand = {
  parameters: ['EMAIL', 'ORGANIZATION'],
  description: 'Give an account a role with all permissions in an organization (name or id).',
  audited: ['member.add-owner'],
  run: inTransaction(async ({ manager, record }, [email = '', nameOrId = '']) => {
    const account = await findAccount(manager, email);
    const organization = await findOrganization(manager, nameOrId);
    await takeTurn(manager, organization.id);
    const role = await findOwnerRole(manager, organization.id);
    const membership = { userId: account.id, organizationId: organization.id };
    const member = await manager.findOne(Membership, { where: membership, relations: { role: true } });
    if (member === null) await manager.insert(Membership, { ...membership, id: uuidv7(), roleId: role.id });
    else await manager.update(Membership, { id: member.id }, { roleId: role.id });
    // From now on Keycard manages the membership: roles from the identity provider no longer count.
    await manager.delete(ProvisionedMembership, membership);
    await record(organization.id, {
      action: 'member.add-owner',
      target: accountTarget(account),
      ...(member !== null && { before: { role: member.role.name } }),
      after: { role: role.name },
    });
    return `In ${organization.name}, ${account.email} now has the role ${role.name}.`;
  }),
};

async function findOrganization(manager: EntityManager, nameOrId: string): Promise<Organization> {
  const byId = isUUID(nameOrId) ? await manager.findOneBy(Organization, { id: nameOrId }) : null;
  if (byId !== null) return byId;
  const [found, ...others] = await manager.find(Organization, {
    where: { name: nameOrId },
    order: { createdAt: 'ASC' },
  });
  if (found === undefined) {
    throw new CommandError(
      `No organization has the name or id ${JSON.stringify(nameOrId)}. list-accounts shows the names.`,
    );
  }
  if (others.length === 0) return found;
  const ids = [found, ...others].map(({ id }) => id).join(', ');
  throw new CommandError(`${others.length + 1} organizations have this name. Use one of their ids: ${ids}.`);
}

/** Finds a role with all permissions, preferably the one named Owner. Creates one if there is none. */
async function findOwnerRole(manager: EntityManager, organizationId: string): Promise<Role> {
  const roles = await manager.find(Role, { where: { organizationId }, order: { createdAt: 'ASC', id: 'ASC' } });
  const complete = roles.filter(({ permissions }) => allPermissions.every((one) => permissions.includes(one)));
  const found = complete.find(({ name }) => name === 'Owner') ?? complete[0];
  if (found !== undefined) return found;
  const names = new Set(roles.map(({ name }) => name));
  const candidates = Array.from({ length: names.size + 1 }, (_, index) =>
    index === 0 ? 'Owner' : `Owner ${index + 1}`,
  );
  const name = candidates.find((candidate) => !names.has(candidate)) ?? 'Owner';
  const id = uuidv7();
  await manager.insert(Role, { id, organizationId, name, permissions: [...allPermissions] });
  return manager.findOneByOrFail(Role, { id });
}
