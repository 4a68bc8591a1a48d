import { randomUUID } from 'node:crypto';
import { readAuditEvents, withoutAudit } from '../factories/audit-events.js';
import { createMember, openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { refreshTokenOf, withRefreshToken } from '../setup/cookies.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas();

interface ListedSession {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  isCurrent: boolean;
}

const me = (token: string, { url } = service) => call(url, 'GET /auth/me', { token });
const refresh = (refreshToken: string) =>
  call(service.url, 'POST /auth/refresh', { headers: withRefreshToken(refreshToken) });
const list = async (token: string) => {
  const { body } = await call(service.url, 'GET /auth/sessions', { token });
  return (body as { sessions: ListedSession[] }).sessions;
};
const end = (token: string, id: string) => call(service.url, `DELETE /auth/sessions/${id}`, { token });
const actionsOf = async (userId: string) =>
  (await readAuditEvents(service, { actor: userId })).map(({ action }) => action);

describe('GET /auth/sessions', () => {
  it("should list only the user's sessions and mark the current one", async () => {
    const member = await createMember(service);
    const other = await openSession(service, member);
    await createMember(service, { organizationId: member.organizationId });
    const sessions = await list(member.token);
    expect(sessions.map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [other.sessionId, false],
      [member.sessionId, true],
    ]);
  });

  it('should show only times and origin', async () => {
    const { token, sessionId, refreshToken } = await createMember(service);
    // Old enough for the use to be at least a millisecond later.
    await service.query(`update sessions set created_at = created_at - interval '1 second' where id = $1`, [sessionId]);
    const headers = { ...withRefreshToken(refreshToken), 'user-agent': 'Agent 47' };
    await call(service.url, 'POST /auth/refresh', { headers });
    const [session] = await list(token);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    expect(session).toEqual({
      id: sessionId,
      createdAt: time,
      lastUsedAt: time,
      expiresAt: time,
      address: '127.0.0.1',
      userAgent: 'Agent 47',
      isCurrent: true,
    });
    expect(Date.parse(String(session?.lastUsedAt))).toBeGreaterThan(Date.parse(String(session?.createdAt)));
  });

  it('should omit expired sessions', async () => {
    const member = await createMember(service);
    const expired = await openSession(service, member);
    await service.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [
      expired.sessionId,
    ]);
    expect((await list(member.token)).map(({ id }) => id)).toEqual([member.sessionId]);
  });

  it('should return 401 without a JWT', async () => {
    expect((await call(service.url, 'GET /auth/sessions')).status).toBe(401);
  });
});

describe('DELETE /auth/sessions/{id}', () => {
  it("should make every replica reject that session's tokens", async () => {
    const member = await createMember(service);
    const other = await openSession(service, member);
    expect((await me(other.token, replica)).status).toBe(200);
    expect((await end(member.token, other.sessionId)).status).toBe(200);
    const refused = await me(other.token, replica);
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ code: 'invalid-credential', detail: 'The session has ended. Sign in again.' });
    expect((await refresh(other.refreshToken)).status).toBe(401);
    expect((await me(member.token)).status).toBe(200);
  });

  it('should be able to end the current session', async () => {
    const { token, sessionId } = await createMember(service);
    expect((await end(token, sessionId)).status).toBe(200);
    expect((await me(token)).status).toBe(401);
  });

  it('should return the same 404 for unknown, malformed, expired and foreign ids', async () => {
    const member = await createMember(service);
    const colleague = await createMember(service, { organizationId: member.organizationId });
    const stranger = await createMember(service);
    const expired = await openSession(service, member);
    await service.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [
      expired.sessionId,
    ]);
    for (const id of [randomUUID(), 'nonsense', expired.sessionId, colleague.sessionId, stranger.sessionId]) {
      const response = await end(member.token, id);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 'not-found', detail: 'Session not found.' });
    }
    expect((await me(colleague.token)).status).toBe(200);
    expect((await me(stranger.token)).status).toBe(200);
    expect(await actionsOf(member.userId)).toEqual([]);
  });

  it('should return 400 for a malformed path', async () => {
    const { token } = await createMember(service);
    expect((await end(token, '%zz')).status).toBe(400);
  });

  it('should record an event, and end nothing if it cannot', async () => {
    const member = await createMember(service);
    const other = await openSession(service, member);
    expect((await withoutAudit(service, () => end(member.token, other.sessionId))).status).toBe(500);
    expect((await me(other.token)).status).toBe(200);
    await end(member.token, other.sessionId);
    expect(await readAuditEvents(service, { actor: member.userId })).toMatchObject([
      { action: 'session.end', targetKind: 'session', targetId: other.sessionId },
    ]);
  });
});

describe('DELETE /auth/sessions', () => {
  it("should end all of the user's sessions except the current one", async () => {
    const member = await createMember(service);
    const others = [await openSession(service, member), await openSession(service, member)];
    const colleague = await createMember(service, { organizationId: member.organizationId });
    const response = await call(service.url, 'DELETE /auth/sessions', { token: member.token });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: '2 other sessions were ended.' });
    for (const { token } of others) expect((await me(token)).status).toBe(401);
    expect((await me(member.token)).status).toBe(200);
    expect((await me(colleague.token)).status).toBe(200);
    const targets = (await readAuditEvents(service, { actor: member.userId })).map(({ action, targetId }) => [
      action,
      targetId,
    ]);
    expect(targets.sort()).toEqual(others.map(({ sessionId }) => ['session.end', sessionId]).sort());
  });
});

describe('POST /auth/sign-out', () => {
  const signOut = (options: Parameters<typeof call>[2]) => call(service.url, 'POST /auth/sign-out', options);

  it("should end the cookie's session and clear the cookies", async () => {
    const { refreshToken, token, userId } = await createMember(service);
    const response = await signOut({ headers: withRefreshToken(refreshToken) });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^keycard_refresh=; Max-Age=0; Path=\/auth;/),
      expect.stringMatching(/^keycard_signed_in=; Max-Age=0; Path=\/;/),
    ]);
    expect(refreshTokenOf(response)).toBe('');
    expect((await me(token)).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect(await actionsOf(userId)).toEqual(['sign-out']);
  });

  it('should end the sessions of all refresh cookies sent', async () => {
    const members = [await createMember(service), await createMember(service)];
    const cookie = members.map(({ refreshToken }) => `keycard_refresh=${refreshToken}`).join('; ');
    expect((await signOut({ headers: { cookie } })).status).toBe(200);
    for (const { token } of members) expect((await me(token)).status).toBe(401);
  });

  it("should end a JWT's session", async () => {
    const { token, userId } = await createMember(service);
    expect((await signOut({ token })).status).toBe(200);
    expect((await me(token)).status).toBe(401);
    expect(await actionsOf(userId)).toEqual(['sign-out']);
  });

  it("should not end the user's other sessions", async () => {
    const member = await createMember(service);
    const other = await openSession(service, member);
    await signOut({ token: member.token, headers: withRefreshToken(member.refreshToken) });
    expect((await me(other.token)).status).toBe(200);
    expect(await actionsOf(member.userId)).toEqual(['sign-out']);
  });

  it.each<[string, Parameters<typeof call>[2]]>([
    ['nothing', {}],
    ['a cookie without a session', { headers: withRefreshToken('nonsense') }],
    ['a JWT without a session', { token: 'nonsense' }],
  ])('should return 200 for %s', async (_title, options) => {
    expect((await signOut(options)).status).toBe(200);
  });

  it('should return 401 for a malformed Authorization header', async () => {
    expect((await signOut({ headers: { authorization: 'Token x' } })).status).toBe(401);
  });

  it('should return 403 to a page of another site and end nothing', async () => {
    const { refreshToken, token } = await createMember(service);
    const headers = { ...withRefreshToken(refreshToken), 'sec-fetch-site': 'cross-site' };
    expect((await signOut({ headers })).status).toBe(403);
    expect((await me(token)).status).toBe(200);
  });
});
