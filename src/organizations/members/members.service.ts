import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type SelectQueryBuilder } from 'typeorm';
import type { Actor, Principal } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import type { KeyRemoval } from '../../api-keys/keys-of-creator.js';
import { notFound } from '../../common/errors/app-error.js';
import { foldTextSql } from '../../common/validation/fold-text.js';
import { AccessChangesService, assertHeld } from '../access-changes.service.js';
import { Membership } from '../membership.entity.js';
import { rememberMember } from '../people/former-members.js';
import { ProvisionedMembership } from '../provisioned-membership.entity.js';
import { finishRemoval, removeKeysOf } from '../removal/remove-keys.js';
import { findRole } from '../roles/role-queries.js';
import type { ListMembersQueryDto, MemberDto, MemberListDto, UpdateMemberDto } from './dto/member.dto.js';
import { findMember, toMemberDto } from './find-member.js';

@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: AccessChangesService,
    private readonly audit: AuditService,
  ) {}

  /** Lists one page of the organization's members, in the order of joining. */
  async list({ organizationId }: Principal, { page, perPage, search }: ListMembersQueryDto): Promise<MemberListDto> {
    const [members, total] = await this.matching(organizationId, search)
      .orderBy('membership.createdAt')
      .addOrderBy('membership.id')
      .offset((page - 1) * perPage)
      .limit(perPage)
      .getManyAndCount();
    return { total, page, perPage, members: members.map(toMemberDto) };
  }

  /**
   * Changes a member's role.
   *
   * @throws AppError 403 if the actor lacks one of the role's permissions; 404 for unknown, malformed and foreign ids;
   *   409 if the organization would lose its last administrator
   */
  update(actor: Actor, id: string, { roleId }: UpdateMemberDto): Promise<MemberDto> {
    return this.changes.run(actor, 'update-members', async ({ manager, held }) => {
      const member = await getMember(manager, actor, { id });
      const role = await findRole(manager, actor.organizationId, roleId);
      if (role.id === member.roleId) return toMemberDto(member);
      assertHeld(held, role.permissions);
      await manager.update(Membership, { id: member.id }, { roleId: role.id });
      await this.audit.record(manager, actor, {
        action: 'member.update',
        target: targetOf(member),
        before: { role: member.role.name },
        after: { role: role.name },
      });
      return { ...toMemberDto(member), role: { id: role.id, name: role.name } };
    });
  }

  /**
   * Removes a member, possibly the actor. Their keys are kept, or all disabled or deleted in the same transaction: once
   * this returns, no replica accepts them. Single sign-on doesn't add the member again until they accept another
   * invitation.
   *
   * @returns the number of keys that were disabled or deleted
   * @throws AppError 403 if the actor may not change or delete keys but asks for it; 404 for unknown, malformed and
   *   foreign ids; 409 if the organization would lose its last administrator, or for too many keys
   */
  async delete(actor: Actor, id: string, keys: KeyRemoval = 'keep'): Promise<number> {
    const count = await this.changes.run(actor, 'delete-members', async ({ manager, held }) => {
      const member = await getMember(manager, actor, { id });
      const context = { manager, audit: this.audit, actor, held };
      const changed = await removeKeysOf({ createdById: member.userId }, keys, context);
      await this.remove(manager, actor, member);
      return changed;
    });
    await finishRemoval(this.dataSource.manager, actor, keys);
    return count;
  }

  /**
   * Removes the actor from the organization. No permission is needed.
   *
   * @throws AppError 409 if the organization would lose its last administrator
   */
  leave(actor: Actor): Promise<void> {
    return this.changes.run(actor, null, async ({ manager }) => {
      await this.remove(manager, actor, await getMember(manager, actor, { userId: actor.id }));
    });
  }

  private async remove(manager: EntityManager, actor: Actor, member: Membership): Promise<void> {
    await rememberMember(manager, member.userId, member.organizationId);
    await manager.delete(Membership, { id: member.id });
    await preventRejoin(manager, member);
    await this.audit.record(manager, actor, {
      action: 'member.delete',
      target: targetOf(member),
      before: { role: member.role.name },
    });
  }

  private matching(organizationId: string, search: string | undefined): SelectQueryBuilder<Membership> {
    const members = this.dataSource.manager
      .createQueryBuilder(Membership, 'membership')
      .innerJoinAndSelect('membership.user', 'user')
      .innerJoinAndSelect('membership.role', 'role')
      .where('membership.organizationId = :organizationId', { organizationId });
    if (!search) return members;
    // strpos, unlike LIKE, has no wildcards.
    return members.andWhere(
      `(strpos(${foldTextSql('user.name')}, ${foldTextSql(':search')}) > 0 or
      strpos(${foldTextSql('user.email')}, ${foldTextSql(':search')}) > 0)`,
      { search },
    );
  }
}

/** Also needed if the provider never managed this membership: single sign-on would add them as a new member. */
async function preventRejoin(manager: EntityManager, { userId, organizationId, roleId }: Membership): Promise<void> {
  const removed = { userId, organizationId, roleIds: [roleId], claimedAt: () => 'now()' };
  const insert = manager.createQueryBuilder().insert().into(ProvisionedMembership).values(removed);
  await insert.orUpdate(['role_ids'], ['user_id', 'organization_id']).execute();
}

async function getMember(
  manager: EntityManager,
  { organizationId }: Actor,
  which: Partial<Pick<Membership, 'id' | 'userId'>>,
): Promise<Membership> {
  const member = await findMember(manager, organizationId, which);
  if (member === undefined) throw notFound('member');
  return member;
}

function targetOf({ id, user }: Membership) {
  return { kind: 'member', id, name: user.email } as const;
}
