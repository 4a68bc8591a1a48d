import type { EntityManager } from 'typeorm';
import { Membership } from '../membership.entity.js';
import type { MemberDto } from './dto/member.dto.js';

/** Finds a member of the organization, with user and role. */
export async function findMember(
  manager: EntityManager,
  organizationId: string,
  which: Partial<Pick<Membership, 'id' | 'userId'>>,
): Promise<Membership | undefined> {
  const relations = { user: true, role: true };
  return (await manager.findOne(Membership, { where: { ...which, organizationId }, relations })) ?? undefined;
}

/** @param membership with user and role */
export function toMemberDto({ id, userId, user, role, createdAt }: Membership): MemberDto {
  return {
    id,
    userId,
    email: user.email,
    name: user.name,
    role: { id: role.id, name: role.name },
    joinedAt: createdAt.toISOString(),
  };
}
