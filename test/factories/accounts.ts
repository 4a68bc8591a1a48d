import { hashPassword } from '../../src/auth/password.js';
import type { TestApp } from '../setup/test-app.js';
import { createMember, type Member } from './organizations.js';

export const rightPassword = 'correct horse battery staple';
export const wrongPassword = 'incorrect horse battery staple';

export interface Account extends Member {
  email: string;
}

let accounts = 0;

/** Creates a member with `rightPassword`. */
export async function createAccount(service: TestApp): Promise<Account> {
  const email = `account-${++accounts}@example.com`;
  return { email, ...(await createMember(service, { email, passwordHash: await hashPassword(rightPassword) })) };
}
