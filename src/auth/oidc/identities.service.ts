import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../common/errors/app-error.js';
import { User } from '../../organizations/user.entity.js';
import type { ProviderClaims } from './provider-claims.js';
import { lockUnverified } from './unverified-accounts.service.js';
import { UserIdentity } from './user-identity.entity.js';

/** The account that an identity is linked to. */
interface LinkedAccount {
  userId: string;
  /** False while the account may belong to someone who created it with another person's email. */
  isEmailVerified: boolean;
}

/** Links people at the identity provider to accounts. */
@Injectable()
export class IdentitiesService {
  /** The linked account; undefined on the person's first sign-in. */
  async find(
    manager: EntityManager,
    { issuer, subject }: Pick<ProviderClaims, 'issuer' | 'subject'>,
  ): Promise<LinkedAccount | undefined> {
    const where = { issuer, subject };
    const identity = await manager.findOne(UserIdentity, { where, relations: { user: true } });
    if (identity === null) return undefined;
    return { userId: identity.userId, isEmailVerified: identity.user.emailVerifiedAt !== null };
  }

  /**
   * Finds the person's account. On their first sign-in, links the account with their email, or creates one. An account
   * with an unverified email is locked: call `UnverifiedAccountsService.secure` in the same transaction.
   *
   * @param manager of a transaction that called `lockPerson`
   * @throws AppError 403 if the provider hasn't verified the email, or another identity is linked to the account
   */
  async findOrCreateUserId(manager: EntityManager, claims: ProviderClaims): Promise<string> {
    const known = await this.find(manager, claims);
    if (known === undefined) return this.link(manager, claims);
    if (!known.isEmailVerified) await lockUnverified(manager, known.userId);
    return known.userId;
  }

  private async link(manager: EntityManager, claims: ProviderClaims): Promise<string> {
    const email = verifiedEmail(claims);
    const verified = { emailVerifiedAt: () => 'now()', emailVerifiedBy: 'provider' } as const;
    await manager
      .createQueryBuilder()
      .insert()
      .into(User)
      .values({ id: uuidv7(), email, name: claims.name ?? email, passwordHash: null, ...verified })
      .orIgnore()
      .execute();
    // Locked before the identity refers to it: upgrading the weaker lock of the foreign key could deadlock.
    const lock = { mode: 'for_no_key_update' } as const;
    const { id: userId } = await manager.findOneOrFail(User, { where: { email }, lock });
    const { issuer, subject } = claims;
    await manager
      .createQueryBuilder()
      .insert()
      .into(UserIdentity)
      .values({ id: uuidv7(), userId, issuer, subject })
      .orIgnore()
      .execute();
    const linked = await this.find(manager, claims);
    if (linked?.userId !== userId) throw unusableIdentity(`${email} belongs to another identity.`);
    return userId;
  }
}

/** Makes concurrent first sign-ins of one person wait for each other, until the transaction ends. */
export async function lockPerson(
  manager: EntityManager,
  { issuer, subject }: Pick<ProviderClaims, 'issuer' | 'subject'>,
): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${issuer} ${subject}`]);
}

/**
 * The person's email. Unverified emails are rejected, because they would let anyone take over an account.
 *
 * @throws AppError 403 if the email is missing or the provider hasn't verified it
 */
export function verifiedEmail({ email, isEmailVerified }: ProviderClaims): string {
  if (email === undefined) throw unusableIdentity('It provides no email (claim "email").');
  if (!isEmailVerified) throw unusableIdentity('It has not verified your email (claim "email_verified").');
  return email;
}

function unusableIdentity(reason: string): AppError {
  return new AppError('identity-refused', `Your identity provider's account cannot be used here. ${reason}`);
}
