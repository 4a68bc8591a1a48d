import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { normalizeEmail } from '../common/validation/email-address.js';
import { User } from '../organizations/user.entity.js';

@Injectable()
export class UsersService {
  constructor(private readonly dataSource: DataSource) {}

  /** The account with this id. */
  async findById(id: string): Promise<User | undefined> {
    return (await this.dataSource.manager.findOneBy(User, { id })) ?? undefined;
  }

  /** The account with this address, in any case. */
  async findByEmail(email: string): Promise<User | undefined> {
    return (await this.dataSource.manager.findOneBy(User, { email: normalizeEmail(email) })) ?? undefined;
  }
}

/**
 * Locks the account against a change or removal of its password until the transaction ends. Both end sessions: one
 * opened at the same moment without this lock would survive them.
 *
 * @returns whether the account still has the password that was checked
 */
export function lockPassword(manager: EntityManager, { id, passwordHash }: User): Promise<boolean> {
  const where = { id, passwordHash: passwordHash ?? IsNull() };
  return manager.findOne(User, { where, lock: { mode: 'pessimistic_read' } }).then((user) => user !== null);
}
