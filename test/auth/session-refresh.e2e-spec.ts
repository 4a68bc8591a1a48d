import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { Membership } from '../../src/organizations/membership.entity.js';
import { readAuditEvents, withoutAudit } from '../factories/audit-events.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { refreshTokenOf, withRefreshToken } from '../setup/cookies.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas();

const refresh = (refreshToken: string, { url } = service, headers: Record<string, string> = {}) =>
  call(url, 'POST /auth/refresh', { headers: { ...withRefreshToken(refreshToken), ...headers } });
const me = (token: string) => call(service.url, 'GET /auth/me', { token });
const accessTokenOf = ({ body }: CallResponse) => (body as { accessToken: string }).accessToken;

/** Refreshes and returns the next token. */
async function next(refreshToken: string): Promise<string> {
  const response = await refresh(refreshToken);
  expect(response.status).toBe(200);
  return String(refreshTokenOf(response));
}

/** Moves the last rotation back by an interval. */
const age = ({ sessionId }: Member, interval: string) =>
  service.query(`update sessions set rotated_at = rotated_at - $2::interval where id = $1`, [sessionId, interval]);

describe('POST /auth/refresh', () => {
  it('should return an access token for the same organization and a new cookie', async () => {
    const member = await createMember(service);
    const response = await refresh(member.refreshToken);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      accessToken: expect.any(String) as string,
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(refreshTokenOf(response)).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
    expect(refreshTokenOf(response)).not.toBe(member.refreshToken);
    const { organizationId, userId } = member;
    const described = await me(accessTokenOf(response));
    expect(described.body).toMatchObject({ organization: { id: organizationId }, user: { id: userId } });
  });

  it('should describe the user as GET /auth/me does, with the permissions of now', async () => {
    const { organizationId, refreshToken, userId } = await createMember(service, { permissions: ['get-usage'] });
    await service.query(
      `update roles set permissions = '{get-roles}' where organization_id = $1 and permissions = '{get-usage}'`,
      [organizationId],
    );
    const response = await refresh(refreshToken);
    const described = await me(accessTokenOf(response));
    expect(response.body).toMatchObject({ me: described.body });
    expect(described.body).toMatchObject({ user: { id: userId }, permissions: ['get-roles'] });
  });

  it('should set a cookie that scripts and other sites cannot access', async () => {
    const { refreshToken } = await createMember(service);
    const [cookie = ''] = (await refresh(refreshToken)).headers.getSetCookie();
    expect(cookie.split('; ').slice(1)).toEqual(['Max-Age=1209600', 'Path=/auth', 'HttpOnly', 'SameSite=Strict']);
  });

  it('should mark the session for scripts with a second, constant cookie', async () => {
    const marks = await Promise.all(
      [await createMember(service), await createMember(service)].map(
        async ({ refreshToken }) => (await refresh(refreshToken)).headers.getSetCookie()[1],
      ),
    );
    expect(new Set(marks)).toEqual(new Set(['keycard_signed_in=yes; Max-Age=1209600; Path=/; SameSite=Strict']));
  });

  it('should keep working through many rotations on any replica', async () => {
    let { refreshToken } = await createMember(service);
    for (const where of [service, replica, replica, service, replica]) {
      const response = await refresh(refreshToken, where);
      expect(response.status).toBe(200);
      refreshToken = String(refreshTokenOf(response));
    }
  });

  it('should return 401 for a missing, malformed or unknown cookie', async () => {
    const without = await call(service.url, 'POST /auth/refresh');
    const malformed = await refresh('nonsense');
    const unknown = await refresh(`${'x'.repeat(43)}.${'y'.repeat(43)}`);
    expect([without, malformed, unknown].map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(without.body).toMatchObject({ code: 'missing-credential' });
    expect(unknown.body).toMatchObject({ code: 'invalid-credential' });
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer realm="keycard", error="invalid_token"');
  });

  it('should return 401 for two cookies in either order, and keep both sessions', async () => {
    const [own, foreign] = [(await createMember(service)).refreshToken, (await createMember(service)).refreshToken];
    for (const [first, second] of [
      [own, foreign],
      [foreign, own],
    ]) {
      const headers = { cookie: `keycard_refresh=${first}; keycard_refresh=${second}` };
      const response = await call(service.url, 'POST /auth/refresh', { headers });
      expect(response.status).toBe(401);
      expect(response.body).toMatchObject({ detail: expect.stringContaining('more than once') as string });
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    for (const token of [own, foreign]) expect((await refresh(token)).status).toBe(200);
  });

  it('should return 401 for an access token instead of the cookie', async () => {
    const { token } = await createMember(service);
    expect((await call(service.url, 'POST /auth/refresh', { token })).status).toBe(401);
  });

  it.each(['cross-site', 'same-site'])('should return 403 to a %s page and keep the session', async (site) => {
    const { refreshToken } = await createMember(service);
    const response = await refresh(refreshToken, service, { 'sec-fetch-site': site });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'cross-site-request' });
    expect((await refresh(refreshToken, service, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('should return 403 once the user has no membership', async () => {
    const { refreshToken, userId } = await createMember(service);
    await service.app.get(DataSource).manager.delete(Membership, { userId });
    const response = await refresh(refreshToken);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'no-organization' });
  });

  it("should fall back to another organization if the user has left the session's", async () => {
    const { refreshToken, sessionId, organizationId } = await createMember(service);
    const other = await createMember(service);
    await service.query('update sessions set organization_id = $2 where id = $1', [sessionId, other.organizationId]);
    const response = await refresh(refreshToken);
    expect((await me(accessTokenOf(response))).body).toMatchObject({ organization: { id: organizationId } });
  });
});

describe('A replaced refresh token', () => {
  it('should get the same successor within the grace period, as after a quick reload', async () => {
    const { refreshToken } = await createMember(service);
    const successor = await next(refreshToken);
    expect(await next(refreshToken)).toBe(successor);
    expect((await refresh(successor)).status).toBe(200);
  });

  it('should end the session if used after the grace period', async () => {
    const member = await createMember(service);
    const successor = await next(member.refreshToken);
    const { token } = member;
    await age(member, '11 seconds');
    expect((await me(token)).status).toBe(200);
    expect((await refresh(member.refreshToken, replica)).status).toBe(401);
    expect((await refresh(successor)).status).toBe(401);
    expect((await me(token)).status).toBe(401);
  });

  it('should end the session even within the grace period if it is not the latest replaced one', async () => {
    const { refreshToken } = await createMember(service);
    const latest = await next(await next(refreshToken));
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await refresh(latest)).status).toBe(401);
  });

  it("should not end the user's other sessions", async () => {
    const member = await createMember(service);
    const other = await openSession(service, member);
    await next(member.refreshToken);
    await age(member, '11 seconds');
    expect((await refresh(member.refreshToken)).status).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('should record one event with its origin', async () => {
    const member = await createMember(service);
    await next(member.refreshToken);
    await age(member, '1 minute');
    await refresh(member.refreshToken, service, { 'user-agent': 'a thief' });
    await refresh(member.refreshToken);
    const { userId, sessionId, organizationId } = member;
    expect(await readAuditEvents(service, { actor: userId })).toMatchObject([
      {
        action: 'session.reuse',
        actorId: userId,
        actorEmail: `${userId}@example.com`,
        organizationId,
        address: '127.0.0.1',
        userAgent: 'a thief',
        targetKind: 'session',
        targetId: sessionId,
      },
    ]);
  });

  it('should not end the session if the event cannot be written', async () => {
    const member = await createMember(service);
    const successor = await next(member.refreshToken);
    await age(member, '1 minute');
    const response = await withoutAudit(service, () => refresh(member.refreshToken));
    expect(response.status).toBe(500);
    expect((await refresh(successor)).status).toBe(200);
  });
});

describe('Tabs that refresh concurrently', () => {
  it('should all get the same cookie on any replica', async () => {
    const { refreshToken } = await createMember(service);
    const tabs = Array.from({ length: 12 }, (_, tab) => refresh(refreshToken, tab % 2 === 0 ? service : replica));
    const responses = await Promise.all(tabs);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const successors = new Set(responses.map(refreshTokenOf));
    expect(successors.size).toBe(1);
    for (const response of responses) expect((await me(accessTokenOf(response))).status).toBe(200);
    expect((await refresh(String([...successors][0]))).status).toBe(200);
  });
});

describe('A session', () => {
  it('should be refreshed for the organization it was last switched to', async () => {
    const member = await createMember(service);
    const { organizationId, roleId } = await createMember(service);
    const { userId, sessionId, refreshToken } = member;
    const membership = { id: randomUUID(), userId, organizationId, roleId };
    await service.app.get(DataSource).manager.insert(Membership, membership);
    const switched = await service.app.get(SessionsService).switchOrganization(sessionId, organizationId);
    expect((await me(switched.accessToken)).body).toMatchObject({ organization: { id: organizationId } });
    const refreshed = await refresh(refreshToken);
    expect((await me(accessTokenOf(refreshed))).body).toMatchObject({ organization: { id: organizationId } });
  });

  it('should not be switched once it has ended', async () => {
    const { sessionId, organizationId } = await createMember(service);
    await service.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [sessionId]);
    const switching = service.app.get(SessionsService).switchOrganization(sessionId, organizationId);
    await expect(switching).rejects.toMatchObject({ status: 401 });
  });

  it('should expire after 14 days without a refresh', async () => {
    const { refreshToken, sessionId, token } = await createMember(service);
    const [session] = await service.query<{ days: number }>(
      `select extract(epoch from expires_at - created_at)::int / 86400 as days from sessions where id = $1`,
      [sessionId],
    );
    expect(session?.days).toBe(14);
    await service.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [sessionId]);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await me(token)).status).toBe(401);
  });

  it('should expire 90 days after sign-in, regardless of refreshes', async () => {
    const { refreshToken, sessionId } = await createMember(service);
    await service.query(`update sessions set created_at = now() - interval '89 days' where id = $1`, [sessionId]);
    await next(refreshToken);
    const [session] = await service.query<{ days: number }>(
      `select extract(epoch from expires_at - created_at)::int / 86400 as days from sessions where id = $1`,
      [sessionId],
    );
    expect(session?.days).toBe(90);
  });
});
