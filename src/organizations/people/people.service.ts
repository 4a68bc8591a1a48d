import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { Session } from '../../auth/sessions/session.entity.js';
import { notFound } from '../../common/errors/app-error.js';
import { foldTextSql } from '../../common/validation/fold-text.js';
import { inFuture } from '../../database/clock.js';
import { findMember, toMemberDto } from '../members/find-member.js';
import { Membership } from '../membership.entity.js';
import {
  type FormerMemberDto,
  type FormerMemberListDto,
  type ListFormerMembersQueryDto,
  maxPersonSessions,
  type PersonDto,
  type PersonSessionDto,
} from './dto/person.dto.js';
import { type End, readEnds } from './departures.js';
import { FormerMember } from './former-member.entity.js';
import { isStillFormer } from './former-members.js';

/** Reads current and former members of an organization, by the id of the user. */
@Injectable()
export class PeopleService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns a page of the organization's former members, removed last first. */
  async listFormer(
    { organizationId, permissions }: Principal,
    { page, perPage, search }: ListFormerMembersQueryDto,
  ): Promise<FormerMemberListDto> {
    const { manager } = this.dataSource;
    const query = manager
      .createQueryBuilder(FormerMember, 'former')
      .where('former.organizationId = :organizationId', { organizationId })
      .andWhere(isStillFormer)
      .orderBy('former.removedAt', 'DESC')
      .addOrderBy('former.userId', 'DESC')
      .offset((page - 1) * perPage)
      .limit(perPage);
    if (search) {
      // strpos, unlike LIKE, has no wildcards.
      query.andWhere(
        `(strpos(${foldTextSql('former.name')}, ${foldTextSql(':search')}) > 0 or
        strpos(${foldTextSql('former.email')}, ${foldTextSql(':search')}) > 0)`,
        { search },
      );
    }
    const [former, total] = await query.getManyAndCount();
    const endOf = await readEnds(
      manager,
      organizationId,
      former.map(({ userId }) => userId),
    );
    const formerMembers = former.map((person) => toFormerMemberDto(person, endOf(person.userId), permissions));
    return { total, page, perPage, formerMembers };
  }

  /**
   * Returns a current or former member.
   *
   * @param id of the user
   * @throws AppError 404 for users who never were members of the organization, and for unknown ids
   */
  async get({ organizationId, permissions }: Principal, id: string): Promise<PersonDto> {
    const { manager } = this.dataSource;
    const member = await findMember(manager, organizationId, { userId: id });
    if (member !== undefined) {
      const { name, email } = member.user;
      return { id, name, email, member: toMemberDto(member) };
    }
    const former = await manager.findOneBy(FormerMember, { organizationId, userId: id });
    if (former === null) throw notFound('person');
    const { name, email } = former;
    const endOf = await readEnds(manager, organizationId, [id]);
    return { id, name, email, formerMember: toFormerMemberDto(former, endOf(former.userId), permissions) };
  }

  /**
   * Returns the open sessions of a member that are in the organization, most recently used first. A session is in one
   * organization at a time; those in others don't concern this one.
   *
   * @param userId of a member
   * @throws AppError 404 for others
   */
  async listSessions({ organizationId }: Principal, userId: string): Promise<PersonSessionDto[]> {
    const { manager } = this.dataSource;
    if (!(await manager.existsBy(Membership, { organizationId, userId }))) throw notFound('member');
    const sessions = await manager.find(Session, {
      where: { userId, organizationId, expiresAt: inFuture() },
      order: { lastUsedAt: 'DESC', id: 'DESC' },
      take: maxPersonSessions,
    });
    return sessions.map(({ id, createdAt, lastUsedAt, address, userAgent }) => ({
      id,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      address,
      userAgent,
    }));
  }
}

function toFormerMemberDto(
  { userId, email, name, role, joinedAt, removedAt }: FormerMember,
  { departure, removedBy }: End,
  permissions: Principal['permissions'],
): FormerMemberDto {
  return {
    userId,
    email,
    name,
    role,
    joinedAt: joinedAt && joinedAt.toISOString(),
    removedAt: removedAt.toISOString(),
    departure,
    ...(permissions.includes('get-audit-events') && { removedBy }),
  };
}
