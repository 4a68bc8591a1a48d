import { randomBytes } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { normalizeEmail } from '../common/rules/email-address.js';
import { insertOrganization } from '../organizations/insert-organization.js';
import { User } from '../organizations/user.entity.js';
import { hashPassword } from './password.js';

interface Administrator {
  email: string;
  /** Generated when undefined. */
  password: string | undefined;
}

/** Credentials to show the operator once: a generated password isn't stored. */
export interface FirstStart {
  email: string;
  /** Undefined if the operator set the password. */
  generatedPassword: string | undefined;
}

/** Arbitrary, but must not change. */
const firstStartLock = 4_919_238_818;

/**
 * On a database without users, creates the organization `Default`, its roles and the administrator as Owner. If several
 * replicas start together, one does it.
 *
 * @returns undefined if there are users already
 */
export function seedFirstStart(dataSource: DataSource, administrator: Administrator): Promise<FirstStart | undefined> {
  return dataSource.transaction(async (manager) => {
    await manager.query('select pg_advisory_xact_lock($1)', [firstStartLock]);
    return seed(manager, administrator);
  });
}

async function seed(manager: EntityManager, administrator: Administrator): Promise<FirstStart | undefined> {
  if (await manager.existsBy(User, {})) return undefined;
  const generatedPassword = administrator.password === undefined ? randomBytes(18).toString('base64url') : undefined;
  const email = normalizeEmail(administrator.email);
  const passwordHash = await hashPassword(administrator.password ?? String(generatedPassword));

  const userId = uuidv7();
  await manager.insert(User, {
    id: userId,
    email,
    name: 'Administrator',
    passwordHash,
    emailVerifiedAt: () => 'now()',
    emailVerifiedBy: 'first-administrator',
  });
  await insertOrganization(manager, 'Default', userId);
  return { email, generatedPassword };
}
