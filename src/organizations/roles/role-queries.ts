import type { EntityManager } from 'typeorm';
import { AppError, notFound } from '../../common/errors/app-error.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { Membership } from '../membership.entity.js';
import { Role } from '../role.entity.js';
import { isUUID } from 'class-validator';

/**
 * A role of the organization.
 *
 * @throws AppError 404 for an unknown, malformed or foreign id
 */
export async function findRole(manager: EntityManager, organizationId: string, id: string): Promise<Role> {
  const role = isUUID(id) ? await manager.findOneBy(Role, { id, organizationId }) : null;
  if (role === null) throw notFound('role');
  return role;
}

/** More names than these would help nobody. */
const mostNames = 5;

/**
 * Makes sure that no member has the role, also as a further one from the identity provider, and no invitation offers it.
 *
 * @throws AppError 409 that names the first of them
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
    .limit(mostNames)
    .getManyAndCount();
  const [invitations, invitationCount] = await manager.findAndCount(Invitation, {
    where: { organizationId, roleId: id },
    order: { createdAt: 'ASC', id: 'ASC' },
    take: mostNames,
  });
  const uses = [
    ...describe(
      'member',
      memberCount,
      members.map(({ user }) => user.email),
    ),
    ...describe(
      'invitation',
      invitationCount,
      invitations.map(({ email }) => email),
    ),
  ];
  if (uses.length === 0) return;
  throw new AppError('conflict', `The role is in use by ${uses.join(' and ')}. Give them another role first.`);
}

/** Such as `2 members (ada@example.com, bob@example.com)`. */
function describe(what: string, count: number, emails: string[]): string[] {
  if (count === 0) return [];
  const more = count > emails.length ? ', …' : '';
  return [`${count} ${what}${count === 1 ? '' : 's'} (${emails.join(', ')}${more})`];
}
