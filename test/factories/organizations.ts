import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { allPermissions, type Permission } from '../../src/access/permissions.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { Membership } from '../../src/organizations/membership.entity.js';
import { Organization } from '../../src/organizations/organization.entity.js';
import { Role } from '../../src/organizations/role.entity.js';
import { User } from '../../src/organizations/user.entity.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';

export interface Member {
  userId: string;
  membershipId: string;
  organizationId: string;
  roleId: string;
  /** A JWT for the organization. */
  token: string;
  /** The session of the JWT. */
  sessionId: string;
  refreshToken: string;
}

interface MemberOptions {
  permissions?: Permission[];
  /** By default a new one. */
  organizationId?: string;
  name?: string;
  email?: string;
  passwordHash?: string;
}

/** Creates a signed-in member with these permissions, by default all. */
export async function createMember({ app }: Pick<TestApp, 'app'>, options: MemberOptions = {}): Promise<Member> {
  const { manager } = app.get(DataSource);
  const userId = uuidv7();
  const organizationId = options.organizationId ?? uuidv7();
  if (options.organizationId === undefined) {
    await manager.insert(Organization, { id: organizationId, name: `Organization ${organizationId}` });
  }
  await manager.insert(User, {
    id: userId,
    email: options.email ?? `${userId}@example.com`,
    name: options.name ?? 'A member',
    passwordHash: options.passwordHash ?? 'no password',
  });
  return addMembership({ app }, { userId, organizationId, permissions: options.permissions });
}

/** Creates another signed-in member of the organization, by default with all permissions. */
export function createColleague(
  service: Pick<TestApp, 'app'>,
  { organizationId }: Pick<Member, 'organizationId'>,
  name: string,
  options: Omit<MemberOptions, 'organizationId' | 'name'> = {},
): Promise<Member> {
  return createMember(service, { organizationId, name, ...options });
}

/** Ends a membership. Keys that the member created stay. */
export async function removeMember(
  { url }: Pick<TestApp, 'url'>,
  { membershipId }: Pick<Member, 'membershipId'>,
  { token }: Pick<Member, 'token'>,
): Promise<void> {
  const { status, text } = await call(url, `DELETE /members/${membershipId}`, { token });
  if (status !== 200) throw new Error(text);
}

/** Adds a user to another organization with these permissions and signs them in there. */
export async function addMembership(
  { app }: Pick<TestApp, 'app'>,
  {
    userId,
    organizationId,
    permissions = allPermissions,
  }: Pick<Member, 'userId' | 'organizationId'> & Pick<MemberOptions, 'permissions'>,
): Promise<Member> {
  const { manager } = app.get(DataSource);
  const membershipId = uuidv7();
  const roleId = uuidv7();
  await manager.insert(Role, { id: roleId, organizationId, name: `Role ${roleId}`, permissions });
  await manager.insert(Membership, { id: membershipId, userId, organizationId, roleId });
  return { userId, membershipId, organizationId, roleId, ...(await openSession({ app }, { userId, organizationId })) };
}

/** Signs the user in again, as from another browser. */
export async function openSession(
  { app }: Pick<TestApp, 'app'>,
  { userId, organizationId }: Pick<Member, 'userId' | 'organizationId'>,
): Promise<Pick<Member, 'token' | 'sessionId' | 'refreshToken'>> {
  const origin = { address: '127.0.0.1', userAgent: undefined };
  const session = await app.get(SessionsService).open({ userId, organizationId, origin });
  return { token: session.accessToken, sessionId: session.sessionId, refreshToken: session.refreshToken };
}
