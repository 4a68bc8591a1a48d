import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Origin } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { AppError, invalidField, unauthenticated } from '../../common/errors/app-error.js';
import { isNewPassword, newPasswordRule } from '../../common/rules/text-rules.js';
import { transactLocally } from '../../database/run-transaction.js';
import type { Invitation } from '../../organizations/invitations/invitation.entity.js';
import { User } from '../../organizations/user.entity.js';
import { rejectGuessable } from '../guessable-password.js';
import { SignInLimitsService } from '../limits/sign-in-limits.service.js';
import { hashPassword, isPasswordCorrect } from '../password.js';
import { type OpenedSession, SessionsService } from '../sessions/sessions.service.js';
import { lockPassword, UsersService } from '../users.service.js';
import type { AcceptInvitationDto } from './dto/accept-invitation.dto.js';
import type { InvitationPreviewDto } from './dto/preview-invitation.dto.js';
import { type Accepted, OpenInvitationsService } from './open-invitations.service.js';

@Injectable()
export class AcceptInvitationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invitations: OpenInvitationsService,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly signInLimits: SignInLimitsService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Returns the invitation with this token. Only the account's owner learns whether the invited email has an account;
   * otherwise anyone could find out by inviting it.
   *
   * @param userId of the signed-in user, if any
   * @throws AppError 404 if the token is wrong, used or expired; 429 after too many wrong ones
   */
  async preview(token: string, origin: Origin, userId: string | undefined): Promise<InvitationPreviewDto> {
    const { organization, role, email, expiresAt } = await this.invitations.findByToken(token, origin);
    const user = userId === undefined ? undefined : await this.users.findById(userId);
    return {
      organization: { id: organization.id, name: organization.name },
      role: { id: role.id, name: role.name },
      email,
      ...(user?.email === email && { hasAccount: true, hasPassword: user.passwordHash !== null }),
      expiresAt: expiresAt.toISOString(),
    };
  }

  /**
   * Adds the token holder as a member, creating an account for the invited email if needed, and signs them in. Failures
   * don't reveal whether there is an account.
   *
   * @throws AppError 400 if the name or password isn't allowed for a new account; 401 for a wrong password, or if a new
   *   account is needed but there is no name; 404 if the token is wrong, used or expired; 409 if the account is already
   *   a member; 429 after too many wrong tokens or passwords
   */
  async accept(body: AcceptInvitationDto, origin: Origin): Promise<OpenedSession> {
    const invitation = await this.invitations.findByToken(body.token, origin);
    const { name, password } = body;
    // Checked and counted before the account is looked up, so neither reveals whether there is one.
    if (name !== undefined) {
      if (!isNewPassword(password)) throw invalidField('password', `password ${newPasswordRule}`);
      await rejectGuessable(password, 'password');
    }
    await this.invitations.spendAttempt(invitation);
    try {
      const session = await this.acceptCounted(body, invitation, origin);
      await this.invitations.giveBackAttempt(invitation);
      return session;
    } catch (error) {
      if (hasCode(error, 'sign-in-failed')) await this.recordFailure(invitation, origin);
      else await this.invitations.giveBackAttempt(invitation);
      throw error;
    }
  }

  private async acceptCounted(
    { name, password }: AcceptInvitationDto,
    invitation: Invitation,
    origin: Origin,
  ): Promise<OpenedSession> {
    const { email } = invitation;
    if (name === undefined || (await this.users.findByEmail(email)) !== undefined) {
      return this.acceptWithPassword(password, invitation, origin);
    }
    try {
      return await this.acceptAsNewUser({ name, password }, invitation, origin);
    } catch (error) {
      // Created by another request in the meantime.
      if (error instanceof AccountExists) return this.acceptWithPassword(password, invitation, origin);
      throw error;
    }
  }

  private async acceptAsNewUser(
    body: Required<Pick<AcceptInvitationDto, 'name' | 'password'>>,
    invitation: Invitation,
    origin: Origin,
  ): Promise<OpenedSession> {
    // Hashed before the transaction, because that locks the organization.
    const user = await prepareAccount(invitation.email, body);
    return this.join(invitation, origin, (manager) => insertAccount(manager, user));
  }

  private async acceptWithPassword(password: string, invitation: Invitation, origin: Origin): Promise<OpenedSession> {
    const account = await this.users.findByEmail(invitation.email);
    // Counted like any sign-in; otherwise inviting an email would be a way to guess its password.
    const counted = await this.signInLimits.count(invitation.email, origin.address);
    const isCorrect = await counted.judge(isPasswordCorrect(password, account?.passwordHash));
    if (account === undefined || !isCorrect) throw wrongPassword();
    return this.join(invitation, origin, (manager) => lockAccount(manager, account));
  }

  private join(
    invitation: Invitation,
    origin: Origin,
    findUserId: (manager: EntityManager) => Promise<string>,
  ): Promise<OpenedSession> {
    const finish = (manager: EntityManager, accepted: Accepted) => this.sessions.open(accepted, manager);
    return this.invitations.accept(invitation, origin, { findUserId, finish });
  }

  /** Without the account id, because members of the inviting organization can read this event. */
  private recordFailure({ email, organizationId }: Invitation, origin: Origin): Promise<void> {
    const actor = { id: null, email, organizationId, origin };
    const target = { kind: 'user', id: null, name: email } as const;
    return transactLocally(this.dataSource, (manager) => {
      return this.audit.record(manager, actor, { action: 'sign-in-failed', target });
    });
  }
}

function hasCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}

function wrongPassword(): AppError {
  return unauthenticated('sign-in-failed', 'Incorrect password for the invited email.');
}

type NewAccount = Pick<User, 'id' | 'email' | 'name' | 'passwordHash'>;

async function prepareAccount(
  email: string,
  { name, password }: Required<Pick<AcceptInvitationDto, 'name' | 'password'>>,
): Promise<NewAccount> {
  return { id: uuidv7(), email, name, passwordHash: await hashPassword(password) };
}

/** @throws AppError 401 if the password has changed since it was checked */
async function lockAccount(manager: EntityManager, account: User): Promise<string> {
  if (!(await lockPassword(manager, account))) throw wrongPassword();
  return account.id;
}

/** Another request created the account. */
class AccountExists extends Error {}

/** @throws AccountExists if another request has created the account in the meantime */
async function insertAccount(manager: EntityManager, user: NewAccount): Promise<string> {
  const { id, email, name, passwordHash } = user;
  const values = { id, email, name, passwordHash };
  const insert = manager.createQueryBuilder().insert().into(User).values(values).orIgnore().returning('id');
  const inserted = (await insert.execute()).raw as unknown[];
  if (inserted.length === 1) return id;
  throw new AccountExists();
}
