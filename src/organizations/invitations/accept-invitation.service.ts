import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.js';
import type { Origin } from '../../auth/actor.js';
import { SignInLimitsService } from '../../auth/limits/sign-in-limits.service.js';
import { hashPassword, isPasswordRight } from '../../auth/password.js';
import { AppError, invalidField, unauthenticated } from '../../common/errors/app-error.js';
import { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';
import type { AcceptInvitationDto } from './dto/accept-invitation.dto.js';
import type { InvitationPreviewDto } from './dto/preview-invitation.dto.js';
import type { Invitation } from './invitation.entity.js';
import { type Accepted, OpenInvitationsService } from './open-invitations.service.js';

@Injectable()
export class AcceptInvitationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invitations: OpenInvitationsService,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly signInLimits: SignInLimitsService,
  ) {}

  /**
   * What the holder of the token is invited to, and whether they have an account.
   *
   * @throws AppError 404 when the token is wrong, used or expired; 429 after too many wrong ones
   */
  async preview(token: string, origin: Origin): Promise<InvitationPreviewDto> {
    const { organization, role, email, expiresAt } = await this.invitations.findByToken(token, origin);
    const account = await this.users.findByEmail(email);
    return {
      organization: { id: organization.id, name: organization.name },
      role: { id: role.id, name: role.name },
      email,
      hasAccount: account !== undefined,
      hasPassword: typeof account?.passwordHash === 'string',
      expiresAt: expiresAt.toISOString(),
    };
  }

  /**
   * Makes who holds the token a member: with the account of the invited address, which is created when there is none.
   *
   * @throws AppError 400 when a new account cannot be created so; 401 for the wrong password of an account; 404 when
   * the token is wrong, used or expired; 409 when the address has become a member or an account meanwhile; 429 after
   * too many wrong tokens or passwords
   */
  async accept({ token, name, password }: AcceptInvitationDto, origin: Origin): Promise<Accepted> {
    const invitation = await this.invitations.findByToken(token, origin);
    const account = await this.users.findByEmail(invitation.email);
    // Passwords are hashed before the transaction, which others wait for.
    if (account !== undefined) await this.assertPasswordRight(account, invitation, password, origin);
    const user = account ?? (await prepareAccount(invitation.email, name, password));
    const findUserId = async (manager: EntityManager) => {
      if (account === undefined) await insertAccount(manager, user);
      return user.id;
    };
    return this.invitations.accept(invitation, origin, { findUserId });
  }

  private async assertPasswordRight(
    { id, email, passwordHash }: User,
    { organizationId }: Invitation,
    password: string,
    origin: Origin,
  ): Promise<void> {
    // Counted like any other sign-in: whoever invites an address could guess its password here.
    const counted = await this.signInLimits.count(email, origin.address);
    if (await counted.judge(isPasswordRight(password, passwordHash))) return;
    const actor = { id, email, organizationId, origin };
    const target = { kind: 'user', id, name: email } as const;
    await this.audit.record(this.dataSource.manager, actor, { action: 'sign-in-failed', target });
    throw unauthenticated(
      'sign-in-failed',
      'The invited address has an account already, and this is not its password; send the password of that account.',
    );
  }
}

type NewAccount = Pick<User, 'id' | 'email' | 'name' | 'passwordHash'>;

async function prepareAccount(email: string, name: string | undefined, password: string): Promise<NewAccount> {
  if (name === undefined) throw invalidField('name', 'name must be sent, since the invited address has no account yet');
  if (!/^.{12,256}$/su.test(password)) {
    throw invalidField('password', 'password must have 12 to 256 characters');
  }
  return { id: uuidv7(), email, name, passwordHash: await hashPassword(password) };
}

/** Somebody may create the same account at this moment, invited to another organization. */
async function insertAccount(manager: EntityManager, user: NewAccount): Promise<void> {
  const { id, email, name, passwordHash } = user;
  const values = { id, email, name, passwordHash };
  const insert = manager.createQueryBuilder().insert().into(User).values(values).orIgnore().returning('id');
  const inserted = (await insert.execute()).raw as unknown[];
  if (inserted.length === 1) return;
  throw new AppError('conflict', 'The invited address has just got an account; send the password of that account.');
}
