import { randomUUID } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import { DataSource } from 'typeorm';
import { hashPassword } from '../../src/auth/password.js';
import { Membership } from '../../src/organizations/membership.entity.js';
import { Role } from '../../src/organizations/role.entity.js';
import { createAccount, rightPassword } from '../factories/accounts.js';
import { createApiKey } from '../factories/api-keys.js';
import { withoutAudit } from '../factories/audit-events.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { testJwtSecret } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';

const password = rightPassword;
const service = useTestApp();

const signIn = (body: unknown) => call(service.url, 'POST /auth/sign-in', { body });
const me = (token?: string) => call(service.url, 'GET /auth/me', { token });

describe('POST /auth/sign-in', () => {
  it('should return a token for the management routes', async () => {
    await createMember(service, { email: 'ada@example.com', passwordHash: await hashPassword(password) });
    const response = await signIn({ email: ' ADA@example.com', password });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ accessToken: expect.any(String) as string, tokenType: 'Bearer', expiresIn: 900 });
    const { accessToken } = response.body as { accessToken: string };
    expect((await me(accessToken)).body).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('should set a refresh cookie that scripts and other sites cannot access', async () => {
    const { email, userId } = await createAccount(service);
    const response = await signIn({ email, password: rightPassword });
    const [pair = '', ...attributes] = response.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(attributes).toEqual(['Max-Age=1209600', 'Path=/auth', 'HttpOnly', 'SameSite=Strict']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.text).not.toContain(pair.split('=')[1]);
    expect((await call(service.url, 'POST /auth/refresh', { headers: { cookie: pair } })).status).toBe(200);
    const sessions = await service.query('select from sessions where user_id = $1', [userId]);
    expect(sessions).toHaveLength(2);
  });

  it('should not open a session if the event cannot be written', async () => {
    const { email, userId } = await createAccount(service);
    const response = await withoutAudit(service, () => signIn({ email, password: rightPassword }));
    expect(response.status).toBe(500);
    expect(await service.query('select from sessions where user_id = $1', [userId])).toHaveLength(1);
  });

  it('should return the same 401 for an unknown email and a wrong password', async () => {
    await createMember(service, { email: 'bob@example.com', passwordHash: await hashPassword(password) });
    const wrong = await signIn({ email: 'bob@example.com', password: 'not the password' });
    const unknown = await signIn({ email: 'unknown@example.com', password });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    for (const { headers } of [wrong, unknown]) {
      expect(headers.get('www-authenticate')).toBe('Bearer realm="keycard"');
    }
    expect({ ...(wrong.body as object), requestId: '' }).toEqual({ ...(unknown.body as object), requestId: '' });
  });

  it('should return 403 for an account without an organization', async () => {
    const { userId } = await createMember(service, {
      email: 'eve@example.com',
      passwordHash: await hashPassword(password),
    });
    await service.app.get(DataSource).manager.delete(Membership, { userId });
    const response = await signIn({ email: 'eve@example.com', password });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'no-organization' });
  });

  it.each([
    ['email', { password }],
    ['email', { email: 1, password }],
    ['email', { email: 'x'.repeat(255), password }],
    ['email', { email: 'ada\u0000@example.com', password }],
    ['email', { email: 'ada\ud83d@example.com', password }],
    ['password', { email: 'ada@example.com' }],
    ['password', { email: 'ada@example.com', password: '' }],
    ['password', { email: 'ada@example.com', password: 'x'.repeat(1025) }],
    ['otp', { email: 'ada@example.com', password, otp: '1' }],
  ])('should return 400 naming %s', async (field, body) => {
    const response = await signIn(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });
});

describe('Without an identity provider, Keycard', () => {
  it('should return 404 from the routes of single sign-on, and list only passwords', async () => {
    for (const path of ['start', 'callback']) {
      expect((await call(service.url, `GET /auth/oidc/${path}`)).status).toBe(404);
    }
    expect((await call(service.url, 'GET /auth/methods')).body).toEqual({
      password: true,
      passwordReset: false,
      mail: false,
      oidc: null,
    });
  });
});

describe('GET /auth/me', () => {
  it('should return user, organization, role and permissions', async () => {
    const member = await createMember(service, { permissions: ['get-api-keys'] });
    const response = await me(member.token);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      user: {
        id: member.userId,
        email: `${member.userId}@example.com`,
        name: 'A member',
        passwordRemovedAt: null,
      },
      organization: { id: member.organizationId },
      role: { id: member.roleId },
      permissions: ['get-api-keys'],
    });
    expect(response.text).not.toContain('no password');
  });

  it('should report for 30 days that single sign-on removed the password', async () => {
    const { token, userId } = await createMember(service);
    const readRemoval = async (daysAgo: number) => {
      const update = 'update users set password_removed_at = now() - make_interval(days => $2) where id = $1';
      await service.query(update, [userId, daysAgo]);
      const { user } = (await me(token)).body as { user: { passwordRemovedAt: string | null } };
      return user.passwordRemovedAt;
    };
    expect(await readRemoval(29)).toEqual(expect.any(String));
    expect(await readRemoval(31)).toBeNull();
  });

  it('should return 401 with a bare challenge without credentials', async () => {
    const response = await me();
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keycard"');
    expect(response.body).toMatchObject({ code: 'missing-credential' });
  });

  it('should return 401 asking for a JWT if an API key was sent in either header', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const ways: Record<string, string>[] = [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }];
    for (const headers of ways) {
      const response = await call(service.url, 'GET /auth/me', { headers });
      expect(response.status).toBe(401);
      expect(response.body).toMatchObject({
        code: 'wrong-credential',
        detail: expect.stringContaining('requires a JWT') as string,
      });
      expect(response.text).not.toContain(key);
    }
  });

  it("should reject a removed member's next request", async () => {
    const { token, userId } = await createMember(service);
    expect((await me(token)).status).toBe(200);
    await service.app.get(DataSource).manager.delete(Membership, { userId });
    expect((await me(token)).status).toBe(401);
  });

  it('should apply a reduced role to the next request', async () => {
    const { token, roleId } = await createMember(service);
    const list = () => call(service.url, 'GET /api-keys', { token });
    expect((await list()).status).toBe(200);
    await service.app.get(DataSource).manager.update(Role, { id: roleId }, { permissions: [] });
    expect((await list()).status).toBe(403);
  });

  it("should reject a token for an organization the user doesn't belong to", async () => {
    const { userId, sessionId } = await createMember(service);
    const { organizationId } = await createMember(service);
    const claims = { org: organizationId, sid: sessionId };
    const token = await service.app.get(JwtService).signAsync(claims, { subject: userId });
    expect((await me(token)).status).toBe(401);
  });
});

describe('A JWT', () => {
  const sign = async (claims: object, options: object = {}) => {
    const { userId, organizationId, sessionId } = await createMember(service);
    const jwt = new JwtService();
    return jwt.signAsync(
      { org: organizationId, sid: sessionId, ...claims },
      {
        secret: testJwtSecret,
        algorithm: 'HS256',
        subject: userId,
        issuer: 'keycard',
        audience: 'keycard-management',
        expiresIn: 60,
        ...options,
      },
    );
  };
  const unsigned = async () => {
    const [, payload] = (await sign({})).split('.');
    return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;
  };

  it('should be accepted if it is valid', async () => {
    expect((await me(await sign({}))).status).toBe(200);
  });

  it.each<[string, () => Promise<string>]>([
    ['signed with another secret', () => sign({}, { secret: 'another secret of more than 32 bytes!' })],
    ['signed with HS512', () => sign({}, { algorithm: 'HS512' })],
    ['unsigned', unsigned],
    ['of another issuer', () => sign({}, { issuer: 'someone' })],
    ['for another audience', () => sign({}, { audience: 'someone' })],
    ['expired', () => sign({}, { expiresIn: -1 })],
    ['without a user', () => sign({}, { subject: 'unknown' })],
    ['without an organization', () => sign({ org: undefined })],
    ['with a malformed organization id', () => sign({ org: 'x' })],
    ['without a session', () => sign({ sid: undefined })],
    ['with a malformed session id', () => sign({ sid: 'x' })],
    ['with an unknown session', () => sign({ sid: randomUUID() })],
    ["with another user's session", async () => sign({ sid: (await createMember(service)).sessionId })],
    ['malformed', () => Promise.resolve('nonsense')],
  ])('should be rejected if it is %s', async (_title, make) => {
    const response = await me(await make());
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keycard", error="invalid_token"');
    expect(response.body).toMatchObject({ code: 'invalid-credential' });
  });

  it('should be rejected if it never expires', async () => {
    const { userId, organizationId, sessionId } = await createMember(service);
    const token = await new JwtService().signAsync(
      { org: organizationId, sid: sessionId },
      { secret: testJwtSecret, subject: userId, issuer: 'keycard', audience: 'keycard-management' },
    );
    expect((await me(token)).status).toBe(401);
  });

  it('should be rejected with another scheme', async () => {
    const headers = { authorization: `Token ${await sign({})}` };
    expect((await call(service.url, 'GET /auth/me', { headers })).status).toBe(401);
  });
});
