import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../common/errors/app-error.js';
import { User } from '../../organizations/user.entity.js';
import type { ProviderClaims } from './provider-claims.js';
import { UserIdentity } from './user-identity.entity.js';

/** Accounts of people whom the identity provider knows. */
@Injectable()
export class IdentitiesService {
  /** The account of the person; undefined at first sight. */
  async findUserId(
    manager: EntityManager,
    { issuer, subject }: Pick<ProviderClaims, 'issuer' | 'subject'>,
  ): Promise<string | undefined> {
    return (await manager.findOneBy(UserIdentity, { issuer, subject }))?.userId;
  }

  /**
   * The account of the person: at first sight the one that has the e-mail address, or else a new one.
   *
   * @param manager of a transaction that holds the lock of this person
   * @throws AppError 403 when the provider does not vouch for the address, or the account is another person's
   */
  async findOrCreateUserId(manager: EntityManager, claims: ProviderClaims): Promise<string> {
    const known = await this.findUserId(manager, claims);
    if (known !== undefined) return known;
    const email = verifiedEmail(claims);
    await manager
      .createQueryBuilder()
      .insert()
      .into(User)
      .values({ id: uuidv7(), email, name: claims.name ?? email, passwordHash: null })
      .orIgnore()
      .execute();
    const { id: userId } = await manager.findOneByOrFail(User, { email });
    const { issuer, subject } = claims;
    await manager
      .createQueryBuilder()
      .insert()
      .into(UserIdentity)
      .values({ id: uuidv7(), userId, issuer, subject })
      .orIgnore()
      .execute();
    if ((await this.findUserId(manager, claims)) !== userId) throw refused(`${email} belongs to another identity.`);
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
 * The person's e-mail address. Without the provider's word, anybody could take over the account of an address.
 *
 * @throws AppError 403 when the provider names none, or does not vouch for it
 */
export function verifiedEmail({ email, isEmailVerified }: ProviderClaims): string {
  if (email === undefined) throw refused('It names no e-mail address (claim "email").');
  if (!isEmailVerified) throw refused('It has not verified your e-mail address (claim "email_verified").');
  return email;
}

function refused(reason: string): AppError {
  return new AppError('identity-refused', `Your identity provider's account cannot be used here. ${reason}`);
}
