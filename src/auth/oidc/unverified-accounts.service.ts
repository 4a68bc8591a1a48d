import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import type { Origin } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { currentTime } from '../../database/clock.js';
import { Invitation } from '../../organizations/invitations/invitation.entity.js';
import { Membership } from '../../organizations/membership.entity.js';
import { User } from '../../organizations/user.entity.js';
import { PasswordReset } from '../password-reset/password-reset.entity.js';
import { SessionRevocationService } from '../sessions/session-revocation.service.js';
import type { ProviderClaims } from './provider-claims.js';

/** A person with a verified email, and the account with that email. */
interface VerifiedOwner {
  userId: string;
  /** Name at the provider. */
  name: ProviderClaims['name'];
  origin: Origin;
}

/**
 * Accounts with an unverified email. Anyone who sees an invitation link, such as its sender, can accept it with a
 * password of their own and then owns an account with someone else's email.
 */
@Injectable()
export class UnverifiedAccountsService {
  constructor(
    private readonly audit: AuditService,
    private readonly revocations: SessionRevocationService,
  ) {}

  /**
   * Hands an unverified account over to the owner of its email: removes the password, ends all sessions and withdraws
   * the invitations it sent. Does nothing once the email is verified.
   *
   * @param manager of the transaction that links the identity, or finds it linked
   */
  async secure(manager: EntityManager, { userId, name, origin }: VerifiedOwner): Promise<void> {
    const user = await lockUnverified(manager, userId);
    if (user === null) return;
    const verified = { emailVerifiedAt: () => currentTime, emailVerifiedBy: 'provider' } as const;
    // An open link could still set a password.
    await manager.delete(PasswordReset, { userId });
    if (user.passwordHash === null) {
      // Without a password, only the provider can have signed this person in.
      await manager.update(User, { id: userId }, verified);
      return;
    }
    const removed = { passwordHash: null, passwordRemovedAt: () => currentTime };
    await manager.update(User, { id: userId }, { ...verified, ...removed, name: name ?? user.name });
    const sessions = await this.revocations.revokeOthersWithin(manager, { id: userId, origin });
    const invitations = await this.withdrawInvitations(manager, user, origin);
    await this.recordRemoval(manager, user, origin, { sessions, invitations });
  }

  /** Otherwise the people invited by the account's former user could still join. */
  private async withdrawInvitations(manager: EntityManager, { id: userId }: User, origin: Origin): Promise<number> {
    const invitations = await manager.find(Invitation, { where: { invitedById: userId }, relations: { role: true } });
    for (const { id, organizationId, email, role } of invitations) {
      const { affected } = await manager.delete(Invitation, { id });
      if (affected === 0) continue;
      await this.audit.record(
        manager,
        { id: userId, organizationId, origin },
        {
          action: 'invitation.delete',
          target: { kind: 'invitation', id, name: email },
          before: { role: role.name },
        },
      );
    }
    return invitations.length;
  }

  /** In each organization of the account, so that administrators can review its earlier actions. */
  private async recordRemoval(
    manager: EntityManager,
    { id: userId, email }: User,
    origin: Origin,
    { sessions, invitations }: { sessions: number; invitations: number },
  ): Promise<void> {
    const memberships = await manager.findBy(Membership, { userId });
    const organizationIds = memberships.map(({ organizationId }) => organizationId);
    for (const organizationId of organizationIds.length === 0 ? [null] : organizationIds) {
      await this.audit.record(
        manager,
        { id: userId, email, organizationId, origin },
        {
          action: 'password.remove',
          target: { kind: 'user', id: userId, name: email },
          after: {
            reason: 'The password was set before the identity provider verified the email.',
            sessionsEnded: sessions,
            invitationsWithdrawn: invitations,
          },
        },
      );
    }
  }
}

/** Locks the account against concurrent sign-ins, like a password change. Returns null once its email is verified. */
export function lockUnverified(manager: EntityManager, userId: string): Promise<User | null> {
  const where = { id: userId, emailVerifiedAt: IsNull() };
  return manager.findOne(User, { where, lock: { mode: 'for_no_key_update' } });
}
