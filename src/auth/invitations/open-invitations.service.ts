import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Origin } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { AppError } from '../../common/errors/app-error.js';
import { hashLinkToken } from '../../common/link-token.js';
import { currentTime, inFuture } from '../../database/clock.js';
import { takeTurn } from '../../organizations/access-changes.service.js';
import { Invitation } from '../../organizations/invitations/invitation.entity.js';
import { Membership } from '../../organizations/membership.entity.js';
import { ProvisionedMembership } from '../../organizations/provisioned-membership.entity.js';
import { type RateLimit, RateLimitsService } from '../limits/rate-limits.service.js';

/** A new membership and the origin of the request. */
export interface Accepted {
  userId: string;
  organizationId: string;
  origin: Origin;
}

/** Steps of the accepting account. Both run in the transaction that adds the member. */
interface Invitee<Result> {
  /** Finds or creates the account and locks it. Runs before the organization is locked, the same order as elsewhere. */
  findUserId: (manager: EntityManager) => Promise<string>;
  /** Runs after the account became a member. */
  finish: (manager: EntityManager, accepted: Accepted) => Promise<Result>;
}

/** Finds open invitations by their token, and accepts them. */
@Injectable()
export class OpenInvitationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Finds the invitation with this token, its role and organization. Wrong tokens count towards a limit for each IP
   * address.
   *
   * @throws AppError 404 if the token is wrong, used or expired; 429 after too many wrong ones
   */
  async findByToken(token: string, { address }: Origin): Promise<Invitation> {
    await this.limits.spendByAddress('invitation by address', address);
    const invitation = await this.find({ tokenHash: hashLinkToken(token) });
    await this.limits.giveBackByAddress('invitation by address', address);
    return invitation;
  }

  /**
   * Finds an invitation whose token was checked earlier.
   *
   * @throws AppError 404 if it has since been accepted, withdrawn or replaced, or has expired
   */
  findById(id: string): Promise<Invitation> {
    return this.find({ id });
  }

  /**
   * Counts an attempt to accept with a password, before its outcome is known. Failed attempts can reveal that an email
   * has an account, so they are limited for each invitation and for the user who sent it.
   *
   * @throws AppError 429 after too many failed attempts
   */
  async spendAttempt(invitation: Invitation): Promise<void> {
    for (const [limit, key] of attemptLimits(invitation)) await this.limits.spend(limit, key);
  }

  /** Takes back an attempt that didn't fail because of the password. */
  async giveBackAttempt(invitation: Invitation): Promise<void> {
    for (const [limit, key] of attemptLimits(invitation)) await this.limits.giveBack(limit, key);
  }

  /**
   * Accepts the invitation and adds the user as a member. Keycard then manages the membership: earlier roles from the
   * identity provider no longer count.
   *
   * @returns the result of `finish`
   * @throws AppError 404 if the invitation is no longer open; 409 if the user is already a member
   */
  accept<Result>(invitation: Invitation, origin: Origin, { findUserId, finish }: Invitee<Result>): Promise<Result> {
    const { id, organizationId, roleId, email, role } = invitation;
    return this.dataSource.transaction(async (manager) => {
      const userId = await findUserId(manager);
      await takeTurn(manager, organizationId);
      const { affected } = await manager.delete(Invitation, { id, expiresAt: inFuture() });
      if (affected !== 1) throw unknownInvitation();
      await insertMembership(manager, { userId, organizationId, roleId });
      await manager.delete(ProvisionedMembership, { userId, organizationId });
      await this.audit.record(
        manager,
        { id: userId, organizationId, origin },
        {
          action: 'invitation.accept',
          target: { kind: 'invitation', id, name: email },
          after: { role: role.name },
        },
      );
      return finish(manager, { userId, organizationId, origin });
    });
  }

  /** One query, because with two an invitation that is just being accepted could look expired. */
  private async find(where: FindOptionsWhere<Invitation>): Promise<Invitation> {
    const {
      entities: [invitation],
      raw: [row],
    } = await this.dataSource.manager
      .createQueryBuilder(Invitation, 'invitation')
      .innerJoinAndSelect('invitation.role', 'role')
      .innerJoinAndSelect('invitation.organization', 'organization')
      .addSelect(`invitation.expires_at > ${currentTime}`, 'is_open')
      .where(where)
      .getRawAndEntities<{ is_open: boolean }>();
    if (invitation === undefined) throw unknownInvitation();
    if (row?.is_open === true) return invitation;
    throw new AppError(
      'invitation-expired',
      `This invitation expired on ${invitation.expiresAt.toISOString()}. Ask for a new one.`,
    );
  }
}

function attemptLimits({ id, invitedById, organizationId }: Invitation): [RateLimit, string][] {
  return [
    ['acceptance by invitation', id],
    // If the sender's account was deleted, all such invitations of the organization count together.
    ['acceptance by inviter', invitedById ?? organizationId],
  ];
}

async function insertMembership(
  manager: EntityManager,
  membership: Pick<Membership, 'userId' | 'organizationId' | 'roleId'>,
): Promise<void> {
  const { userId, organizationId } = membership;
  if (await manager.existsBy(Membership, { userId, organizationId })) {
    throw new AppError('conflict', 'This account is already a member of the organization. Sign in instead.');
  }
  await manager.insert(Membership, { ...membership, id: uuidv7() });
}

function unknownInvitation(): AppError {
  return new AppError(
    'not-found',
    'Invitation not found. The link is incomplete, or the invitation was accepted, withdrawn or replaced by a newer one.',
  );
}
