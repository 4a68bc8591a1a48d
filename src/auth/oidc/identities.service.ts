import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../common/errors/app-error.js';
import { User } from '../../organizations/user.entity.js';
import type { ProviderClaims } from './provider-claims.js';
import { lockUnverified } from './unverified-accounts.service.js';
import { UserIdentity } from './user-identity.entity.js';

/** The account that an identity is linked to. */
export interface LinkedAccount {
  userId: string;
  /** False while the account may still be used by the person who created it under an email that is not theirs. */
  isEmailVerified: boolean;
}

/** Accounts of people whom the identity provider knows. */
@Injectable()
export class IdentitiesService {
  /** The account of the person; undefined at first sight. */
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
   * The account of the person: at first sight the one that has the email, or else a new one. An account whose email is
   * unverified is locked: `UnverifiedAccountsService.secure` follows in the same transaction.
   *
   * @param manager of a transaction that holds the lock of this person
   * @throws AppError 403 when the provider does not vouch for the email, or the account is another person's
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
    // Before the identity refers to the account: that takes a weaker lock, which would have to be raised.
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
    if (linked?.userId !== userId) throw refused(`${email} belongs to another identity.`);
    return userId;
  }
}

/** Two first requests of a person make one account: holds back the other one, to the end of the transaction. */
export async function lockPerson(
  manager: EntityManager,
  { issuer, subject }: Pick<ProviderClaims, 'issuer' | 'subject'>,
): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${issuer} ${subject}`]);
}

/**
 * The person's email. The provider must vouch for it, or anyone could take over the account of an email.
 *
 * @throws AppError 403 when the provider names none, or does not vouch for it
 */
export function verifiedEmail({ email, isEmailVerified }: ProviderClaims): string {
  if (email === undefined) throw refused('It provides no email (claim "email").');
  if (!isEmailVerified) throw refused('It has not verified your email (claim "email_verified").');
  return email;
}

function refused(reason: string): AppError {
  return new AppError('identity-refused', `Your identity provider's account cannot be used here. ${reason}`);
}
