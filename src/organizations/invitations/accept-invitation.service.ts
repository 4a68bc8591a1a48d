import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Raw } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.js';
import type { Origin } from '../../auth/actor.js';
import { addressRange } from '../../auth/limits/address-range.js';
import { RateLimitsService } from '../../auth/limits/rate-limits.service.js';
import { SignInLimitsService } from '../../auth/limits/sign-in-limits.service.js';
import { hashPassword, isPasswordRight } from '../../auth/password.js';
import { AppError, invalidField, unauthenticated } from '../../common/errors/app-error.js';
import { takeTurn } from '../access-changes.service.js';
import { Membership } from '../membership.entity.js';
import { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';
import type { AcceptInvitationDto } from './dto/accept-invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { hashInvitationToken } from './invitation-token.js';

/** Who has joined what. */
export interface Accepted {
  userId: string;
  organizationId: string;
}

/** By the database's clock, at the moment of the query. */
const inFuture = () => Raw((column) => `${column} > clock_timestamp()`);

@Injectable()
export class AcceptInvitationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly limits: RateLimitsService,
    private readonly signInLimits: SignInLimitsService,
  ) {}

  /**
   * Makes who holds the token a member: with the account of the invited address, which is created when there is none.
   *
   * @throws AppError 400 when a new account cannot be created so; 401 for the wrong password of an account; 404 when
   * the token is wrong, used or expired; 409 when the address has become a member or an account meanwhile; 429 after
   * too many wrong tokens or passwords
   */
  async accept({ token, name, password }: AcceptInvitationDto, origin: Origin): Promise<Accepted> {
    const invitation = await this.findLimited(token, origin);
    const account = await this.users.findByEmail(invitation.email);
    // Passwords are hashed before the transaction, which others wait for.
    if (account !== undefined) await this.assertPasswordRight(account, invitation, password, origin);
    const user = account ?? (await prepareAccount(invitation.email, name, password));
    const { organizationId, roleId, email } = invitation;
    await this.dataSource.transaction(async (manager) => {
      await takeTurn(manager, organizationId);
      const { affected } = await manager.delete(Invitation, { id: invitation.id, expiresAt: inFuture() });
      if (affected !== 1) throw unknownInvitation();
      if (account === undefined) await insertAccount(manager, user);
      await insertMembership(manager, { userId: user.id, organizationId, roleId });
      await this.audit.record(
        manager,
        { id: user.id, email, organizationId, origin },
        {
          action: 'invitation.accept',
          target: { kind: 'invitation', id: invitation.id, name: email },
          after: { role: invitation.role.name },
        },
      );
    });
    return { userId: user.id, organizationId };
  }

  /** Wrong tokens are counted for each address. */
  private async findLimited(token: string, origin: Origin): Promise<Invitation> {
    const range = addressRange(origin.address);
    await this.limits.spend('invitation by address', range);
    const invitation = await this.find(token);
    await this.limits.giveBack('invitation by address', range);
    return invitation;
  }

  private async find(token: string): Promise<Invitation> {
    const invitations = this.dataSource.getRepository(Invitation);
    const where = { tokenHash: hashInvitationToken(token) };
    const invitation = await invitations.findOne({ where, relations: { role: true } });
    if (invitation === null) throw unknownInvitation();
    if (await invitations.existsBy({ ...where, expiresAt: inFuture() })) return invitation;
    throw new AppError(
      'invitation-expired',
      `The invitation has expired on ${invitation.expiresAt.toISOString()}; ask for a new one.`,
    );
  }

  private async assertPasswordRight(
    { id, email, passwordHash }: User,
    { organizationId }: Invitation,
    password: string,
    origin: Origin,
  ): Promise<void> {
    // Counted like any other sign-in: whoever invites an address could guess its password here.
    const counted = await this.signInLimits.count(email, origin.address);
    if (await isPasswordRight(password, passwordHash)) return counted.succeed();
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

async function insertMembership(
  manager: EntityManager,
  membership: Pick<Membership, 'userId' | 'organizationId' | 'roleId'>,
): Promise<void> {
  const { userId, organizationId } = membership;
  if (await manager.existsBy(Membership, { userId, organizationId })) {
    throw new AppError('conflict', 'This account is a member of the organization already; sign in.');
  }
  await manager.insert(Membership, { ...membership, id: uuidv7() });
}

function unknownInvitation(): AppError {
  return new AppError(
    'not-found',
    'No open invitation has this token: it is mistyped, or the invitation was accepted, withdrawn or replaced by a newer one.',
  );
}
