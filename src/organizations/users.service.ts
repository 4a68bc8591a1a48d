import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** The account with this address, in any case. */
  async findByEmail(email: string): Promise<User | undefined> {
    return (await this.users.findOneBy({ email: normalizeEmail(email) })) ?? undefined;
  }
}

/** The form in which addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
