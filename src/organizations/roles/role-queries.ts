import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { AppError, notFound } from '../../common/errors/app-error.js';
import { foldTextSql } from '../../common/validation/fold-text.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { Membership } from '../membership.entity.js';
import { Role } from '../role.entity.js';
import { ServiceAccount } from '../../service-accounts/service-account.entity.js';

/**
 * Finds a role of the organization.
 *
 * @throws AppError 404 for unknown, malformed and foreign ids
 */
export async function findRole(manager: EntityManager, organizationId: string, id: string): Promise<Role> {
  const role = isUUID(id) ? await manager.findOneBy(Role, { id, organizationId }) : null;
  if (role === null) throw notFound('role');
  return role;
}

/**
 * Checks that no other role of the organization has this name, ignoring case: in menus, such roles look the same. Changes
 * of roles run one at a time, so none can take the name in the meantime.
 *
 * @throws AppError 409
 */
export async function assertNameFree(
  manager: EntityManager,
  { id, organizationId, name }: Pick<Role, 'id' | 'organizationId' | 'name'>,
): Promise<void> {
  const other = await manager
    .createQueryBuilder(Role, 'role')
    .where('role.organizationId = :organizationId and role.id <> :id', { organizationId, id })
    .andWhere(`${foldTextSql('role.name')} = ${foldTextSql(':name')}`, { name })
    .getOne();
  if (other === null) return;
  const message = `A role named ${other.name} already exists. Choose another name.`;
  throw new AppError('conflict', message, { fields: [{ field: 'name', message }] });
}

/** How many members, service accounts and invitations an error lists. */
const listedUses = 5;

/**
 * Checks that no member or service account has the role, including as an additional role from the identity provider, and
 * that no invitation offers it.
 *
 * @throws AppError 409 that lists the first members, service accounts and invitations
 */
export async function assertUnused(manager: EntityManager, { id, organizationId }: Role): Promise<void> {
  const [members, memberCount] = await manager
    .createQueryBuilder(Membership, 'membership')
    .innerJoinAndSelect('membership.user', 'user')
    .where('membership.organizationId = :organizationId', { organizationId })
    .andWhere(
      `(membership.roleId = :id or exists (
        select from provisioned_memberships provisioned
         where provisioned.user_id = membership.userId and provisioned.organization_id = :organizationId
           and provisioned.role_ids[1] = membership.roleId and :id = any(provisioned.role_ids)))`,
      { id },
    )
    .orderBy('membership.createdAt')
    .addOrderBy('membership.id')
    .limit(listedUses)
    .getManyAndCount();
  const [invitations, invitationCount] = await manager.findAndCount(Invitation, {
    where: { organizationId, roleId: id },
    order: { createdAt: 'ASC', id: 'ASC' },
    take: listedUses,
  });
  const [accounts, accountCount] = await manager.findAndCount(ServiceAccount, {
    where: { organizationId, roleId: id },
    order: { createdAt: 'ASC', id: 'ASC' },
    take: listedUses,
  });
  const uses = [
    ...describe(
      'member',
      memberCount,
      members.map(({ user }) => user.email),
    ),
    ...describe(
      'service account',
      accountCount,
      accounts.map(({ name }) => name),
    ),
    ...describe(
      'invitation',
      invitationCount,
      invitations.map(({ email }) => email),
    ),
  ];
  if (uses.length === 0) return;
  throw new AppError(
    'conflict',
    `The role is in use by ${new Intl.ListFormat('en').format(uses)}. Assign another role first.`,
  );
}

/** For example, `2 members (ada@example.com, bob@example.com)`. */
function describe(noun: string, count: number, names: string[]): string[] {
  if (count === 0) return [];
  const more = count > names.length ? ', …' : '';
  return [`${count} ${noun}${count === 1 ? '' : 's'} (${names.join(', ')}${more})`];
}
