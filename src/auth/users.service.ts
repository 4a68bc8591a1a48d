import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { normalizeEmail } from '../common/rules/email-address.js';
import { User } from '../organizations/user.entity.js';

@Injectable()
export class UsersService {
  constructor(private readonly dataSource: DataSource) {}

  async findById(id: string): Promise<User | undefined> {
    return (await this.dataSource.manager.findOneBy(User, { id })) ?? undefined;
  }

  /** Compares emails case-insensitively. */
  async findByEmail(email: string): Promise<User | undefined> {
    return (await this.dataSource.manager.findOneBy(User, { email: normalizeEmail(email) })) ?? undefined;
  }
}

/**
 * Locks the account's password against changes until the transaction ends. A password change ends sessions; without
 * this lock, a session opened at the same moment would survive it.
 *
 * @returns whether the account still has the password that was checked
 */
export function lockPassword(manager: EntityManager, { id, passwordHash }: User): Promise<boolean> {
  const where = { id, passwordHash: passwordHash ?? IsNull() };
  return manager.findOne(User, { where, lock: { mode: 'pessimistic_read' } }).then((user) => user !== null);
}
