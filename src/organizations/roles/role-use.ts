import type { EntityManager } from 'typeorm';
import { AppError } from '../../common/errors/app-error.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { Membership } from '../membership.entity.js';
import type { Role } from '../role.entity.js';

/** More names than these would help nobody. */
const mostNames = 5;

/**
 * Makes sure that nobody has the role or is invited to it.
 *
 * @throws AppError 409 that names the first of them
 */
export async function assertUnused(manager: EntityManager, { id, organizationId }: Role): Promise<void> {
  const where = { organizationId, roleId: id };
  const order = { createdAt: 'ASC', id: 'ASC' } as const;
  const page = { where, order, take: mostNames };
  const [members, memberCount] = await manager.findAndCount(Membership, { ...page, relations: { user: true } });
  const [invitations, invitationCount] = await manager.findAndCount(Invitation, page);
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
  throw new AppError('conflict', `The role is in use by ${uses.join(' and ')}; give them another role first.`);
}

/** Such as `2 members (ada@example.com, bob@example.com)`. */
function describe(what: string, count: number, emails: string[]): string[] {
  if (count === 0) return [];
  const more = count > emails.length ? ', …' : '';
  return [`${count} ${what}${count === 1 ? '' : 's'} (${emails.join(', ')}${more})`];
}
