import { randomBytes } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { hashPassword } from '../../src/auth/password.js';
import type { Permission } from '../../src/access/permissions.js';
import { tokenOptions } from '../../src/auth/sessions/access-tokens.service.js';
import { benchJwtSecret } from '../servers/bench-config.js';

/** Adds members without roles of their own, who share the role of another member. */
export async function insertNamedMembers(client: pg.Client, organizationId: string, names: string[]): Promise<void> {
  const { rows } = await client.query<{ role_id: string }>(
    'select role_id from memberships where organization_id = $1 limit 1',
    [organizationId],
  );
  for (const name of names) {
    const userId = uuidv7();
    await client.query('insert into users (id, email, name) values ($1, $2, $3)', [
      userId,
      `${userId}@example.com`,
      name,
    ]);
    await client.query('insert into memberships (id, user_id, organization_id, role_id) values ($1, $2, $3, $4)', [
      uuidv7(),
      userId,
      organizationId,
      rows[0]?.role_id,
    ]);
  }
}

interface MemberOptions {
  /** Lets the member sign in with a password. */
  credentials?: { email: string; password: string };
  permissions?: readonly Permission[];
}

/** Adds a member to the organization, by default with permission to list keys, and returns a JWT. */
export async function insertMember(
  client: pg.Client,
  organizationId: string,
  { credentials, permissions = ['get-api-keys'] }: MemberOptions = {},
): Promise<string> {
  const userId = uuidv7();
  const roleId = uuidv7();
  await client.query(`insert into users (id, email, name, password_hash) values ($1, $2, 'Lister', $3)`, [
    userId,
    credentials?.email ?? `${userId}@example.com`,
    credentials && (await hashPassword(credentials.password)),
  ]);
  await client.query(`insert into roles (id, organization_id, name, permissions) values ($1, $2, 'Lister', $3)`, [
    roleId,
    organizationId,
    permissions,
  ]);
  await client.query('insert into memberships (id, user_id, organization_id, role_id) values ($1, $2, $3, $4)', [
    uuidv7(),
    userId,
    organizationId,
    roleId,
  ]);
  const sessionId = uuidv7();
  await client.query(
    `insert into sessions (id, user_id, organization_id, family_hash, secret_hash, address, expires_at)
     values ($1, $2, $3, $4, $5, '127.0.0.1', now() + interval '1 day')`,
    [sessionId, userId, organizationId, randomBytes(32), randomBytes(32)],
  );
  const jwt = new JwtService({ secret: benchJwtSecret });
  return jwt.signAsync({ org: organizationId, sid: sessionId }, { ...tokenOptions, expiresIn: '1h', subject: userId });
}
