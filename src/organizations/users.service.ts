import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { normalizeEmail } from '../common/validation/email-address.js';
import { User } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** The account with this address, in any case. */
  async findByEmail(email: string): Promise<User | undefined> {
    return (await this.users.findOneBy({ email: normalizeEmail(email) })) ?? undefined;
  }
}
