import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RateLimitsService } from '../../src/auth/limits/rate-limits.service.js';
import { RetentionService } from '../../src/retention/retention.service.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, openSession, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { waitFor } from '../setup/wait-for.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter, useReplicas } from '../setup/use-test-app.js';
import { Browser } from './browser.js';
import { oidcSettings } from './oidc-settings.js';
import { callbackPath, client, type Person, TestProvider } from './test-provider.js';

const provider = new TestProvider();
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
let owner: Member;
let person: Person;

const [service, replica] = useReplicas(async () => {
  await provider.start();
  return { config: { oidc: oidcSettings(provider) } };
});
const startApp = useAppStarter();
beforeAll(async () => {
  provider.registerClient(replica.url);
  provider.registerClient(service.url);
  owner = await createMember(service);
});
afterAll(() => provider.stop());
beforeEach(() => {
  person = provider.meet({ organization: owner.organizationId, roles: [`Role ${owner.roleId}`] });
});

/** Signs in with this browser and returns the page it ends on. */
async function enter(browser: Browser, visitor = person, { url } = service): Promise<string> {
  provider.visitor = visitor;
  const isCallback = (page: string) => page.startsWith(url + callbackPath);
  return browser.step(await browser.follow(`${url}/auth/oidc/start`, isCallback));
}

/** Returns a browser with a session at the provider and one here. */
async function signIn(visitor = person, app = service): Promise<Browser> {
  const browser = new Browser();
  expect(await enter(browser, visitor, app)).toBe(`${app.url}/`);
  return browser;
}

/** Returns a new access token, as for the dashboard, or undefined if the session has ended. */
async function refresh(browser: Browser, { url } = service): Promise<string | undefined> {
  const response = await browser.post(`${url}/auth/refresh`, {});
  return ((await response.json()) as { accessToken?: string }).accessToken;
}

const me = ({ url }: TestApp, token = '') => call(url, 'GET /auth/me', { token }).then(({ status }) => status);

const tokenFor = (claims: object, header: { typ?: string | undefined; kid?: string } = {}) =>
  provider.sign(
    { aud: client.id, jti: uuidv7(), events: { [logoutEvent]: {} }, ...claims },
    { typ: 'logout+jwt', ...header },
  );

function postForm(fields: [string, string][], { url } = service): Promise<CallResponse> {
  return call(url, 'POST /auth/oidc/backchannel-logout', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    rawBody: new URLSearchParams(fields).toString(),
  });
}
const logOut = (logoutToken: string, app = service) => postForm([['logout_token', logoutToken]], app);

const forgetLimit = () => service.app.get(RateLimitsService).forget('logout token by address', '127.0.0.1');
afterEach(forgetLimit);

async function countAttempts(): Promise<number> {
  const rows = await service.query<{ points: number }>(
    `select points from rate_limits where key like 'logout token by address:%'`,
  );
  return rows.reduce((sum, { points }) => sum + points, 0);
}

describe('Signing out at the identity provider', () => {
  it("should end only that browser's session, on every replica", async () => {
    const [first, second] = [await signIn(), await signIn()];
    const [ended, kept] = [await refresh(first), await refresh(second)];
    expect(await me(replica, ended)).toBe(200);
    await provider.signOut(first);
    expect([await me(service, ended), await me(replica, ended)]).toEqual([401, 401]);
    expect(await refresh(first)).toBeUndefined();
    expect([await me(service, kept), await me(replica, kept)]).toEqual([200, 200]);
    expect(await refresh(second)).toBeDefined();
  });

  it('should record one event per session', async () => {
    const browser = await signIn();
    await provider.signOut(browser);
    const events = (await readAuditEvents(service, { organizationId: owner.organizationId })).filter(
      ({ actorEmail }) => actorEmail === person.email,
    );
    expect(events.map(({ action }) => action)).toEqual(['member.create', 'sign-in', 'session.logout']);
  });
});

describe('A logout token', () => {
  it("should end all of the subject's provider sessions but no password sessions", async () => {
    const browsers = [await signIn(), await signIn()];
    const other = await signIn(provider.meet({ organization: owner.organizationId, roles: [`Role ${owner.roleId}`] }));
    const [user] = await service.query<{ id: string }>('select id from users where email = $1', [person.email]);
    const local = await openSession(service, { userId: user?.id ?? '', organizationId: owner.organizationId });
    expect((await logOut(await tokenFor({ sub: person.sub }))).status).toBe(200);
    for (const browser of browsers) expect(await refresh(browser)).toBeUndefined();
    expect(await refresh(other)).toBeDefined();
    expect(await me(service, local.token)).toBe(200);
  });

  it('should end a session named without a subject', async () => {
    const [first, second] = [await signIn(), await signIn()];
    const [session] = await service.query<{ sid: string }>(
      `select provider_session_id as sid from sessions join users on users.id = user_id
        where email = $1 order by sessions.created_at limit 1`,
      [person.email],
    );
    expect((await logOut(await tokenFor({ sid: session?.sid }))).status).toBe(200);
    expect(await refresh(first)).toBeUndefined();
    expect(await refresh(second)).toBeDefined();
  });

  it("should not end another subject's session, even if named", async () => {
    const browser = await signIn();
    const [session] = await service.query<{ sid: string }>(
      'select provider_session_id as sid from sessions join users on users.id = user_id where email = $1',
      [person.email],
    );
    expect((await logOut(await tokenFor({ sub: uuidv7(), sid: session?.sid }))).status).toBe(200);
    expect(await refresh(browser)).toBeDefined();
  });

  it('should work once, even with concurrent requests on different replicas', async () => {
    const token = await tokenFor({ sub: person.sub });
    const apps = [service, replica, service, replica];
    const statuses = (await Promise.all(apps.map((app) => logOut(token, app)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400, 400, 400]);
    expect((await logOut(token)).body).toMatchObject({ detail: 'This logout token was already used.' });
  });

  it('should be accepted for an unknown session, with type JWT, and with unknown form fields', async () => {
    const token = await tokenFor({ sid: 'unknown' }, { typ: 'JWT' });
    const response = await postForm([
      ['logout_token', token],
      ['state', 'x'],
    ]);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body).toEqual({ message: 'The sessions were ended.' });
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  it.each<[string, object, { typ?: string; kid?: string }]>([
    ['has no subject and no session', {}, {}],
    ['has a nonce', { sub: 'x', nonce: 'n' }, {}],
    ['has no events', { sub: 'x', events: undefined }, {}],
    ['has another event', { sub: 'x', events: { 'http://example.com/event': {} } }, {}],
    ['has an event that is no object', { sub: 'x', events: { [logoutEvent]: true } }, {}],
    ['has no jti', { sub: 'x', jti: undefined }, {}],
    ['has no exp', { sub: 'x', exp: undefined }, {}],
    ['has no iat', { sub: 'x', iat: undefined }, {}],
    ['has expired', { sub: 'x', exp: seconds() - 60 }, {}],
    ['is from the future', { sub: 'x', iat: seconds() + 3600, exp: seconds() + 7200 }, {}],
    ['lasts for years', { sub: 'x', exp: 1e12 }, {}],
    ['is for another client', { sub: 'x', aud: 'someone' }, {}],
    ['is from another issuer', { sub: 'x', iss: 'https://id.example.com' }, {}],
    ['names a session that cannot be stored', { sid: 'a\0b' }, {}],
    ['names a subject that cannot be one', { sub: 'a\0b' }, {}],
    ['is an access token by its type', { sub: 'x' }, { typ: 'at+jwt' }],
    ['is signed with an unknown key', { sub: 'x' }, { kid: 'unknown' }],
  ])('should be rejected with 400 if it %s', async (_title, claims, header) => {
    const response = await logOut(await tokenFor(claims, header));
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body).toMatchObject({ errors: [{ field: 'logout_token' }] });
  });
});

describe('A logout token that arrives during a sign-in', () => {
  const failed = () => `${replica.url}/sign-in?error=sign-in-failed`;
  const sessionIdOf = async ({ email }: Person) => {
    const [session] = await service.query<{ sid: string }>(
      `select provider_session_id as sid from sessions join users on users.id = user_id
        where email = $1 order by sessions.created_at desc limit 1`,
      [email],
    );
    return session?.sid;
  };
  /** Runs this after the provider issued the ID token and before Keycard opens the session. */
  const duringSignIn = (run: () => Promise<unknown>) =>
    provider.faults.set('/me', (_request, response) => {
      void run().then(() =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(person)),
      );
    });
  afterEach(() => provider.faults.clear());

  it('should prevent the sign-in on another replica and record an event', async () => {
    const browser = new Browser();
    duringSignIn(() => provider.signOut(browser));
    expect(await enter(browser, person, replica)).toBe(failed());
    expect(browser.cookie(replica.url, 'keycard_refresh')).toBeUndefined();
    const [last] = await service.query<{ action: string }>(
      'select action from audit_events where actor_email = $1 order by id desc limit 1',
      [person.email],
    );
    expect(last).toEqual({ action: 'sign-in-failed' });
  });

  it.each<[string, (sid: string | undefined) => object, boolean]>([
    ['prevent the sign-in if it names only the subject', () => ({ sub: person.sub }), true],
    ['prevent the sign-in if it names only the session', (sid) => ({ sid }), true],
    ['prevent the sign-in if it names subject and session', (sid) => ({ sub: person.sub, sid }), true],
    [
      'allow the sign-in if it names the subject and another session',
      () => ({ sub: person.sub, sid: 'another' }),
      false,
    ],
    ['allow the sign-in if it names another session', () => ({ sid: 'another' }), false],
    ['let the person in when it names another subject', () => ({ sub: 'another' }), false],
    [
      'let the person in when it was issued before the ID token',
      () => ({ sub: person.sub, iat: Math.floor(Date.now() / 1000) - 60 }),
      false,
    ],
  ])('should %s', async (_title, claimsOf, isOut) => {
    const browser = await signIn(person, replica);
    const sid = await sessionIdOf(person);
    duringSignIn(async () => {
      expect((await logOut(await tokenFor(claimsOf(sid)))).status).toBe(200);
    });
    expect(await enter(browser, person, replica)).toBe(isOut ? failed() : `${replica.url}/`);
    expect(await refresh(browser, replica)).toEqual(isOut ? undefined : expect.any(String));
  });

  it('should wait for a session that is being opened, and end it', async () => {
    const browser = await signIn(person, replica);
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    // The session is inserted and its event waits.
    await blocker.query('lock table audit_events in exclusive mode');
    const entering = enter(browser, person, replica);
    await waitFor(async () => (await countLockWaits(service)) === 1);
    let isLoggedOut = false;
    const leaving = logOut(await tokenFor({ sub: person.sub })).finally(() => (isLoggedOut = true));
    await waitFor(async () => isLoggedOut || (await countLockWaits(service)) === 2);
    await blocker.rollbackTransaction();
    await blocker.release();
    expect([await entering, (await leaving).status]).toEqual([`${replica.url}/`, 200]);
    expect(await refresh(browser, replica)).toBeUndefined();
  });

  it('should expire', async () => {
    const { sub } = person;
    expect((await logOut(await tokenFor({ sub }))).status).toBe(200);
    await service.query(`update provider_logouts set expires_at = now() - interval '1 second'`);
    expect((await logOut(await tokenFor({ sub }))).status).toBe(200);
    await service.app.get(RetentionService).run();
    expect(await service.query('select id from provider_logouts')).toHaveLength(1);
  });
});

// Last, since another app in this process takes over access token verification.
describe('POST /auth/oidc/backchannel-logout', () => {
  it('should return 400 for no token, a malformed one and several', async () => {
    const token = await tokenFor({ sub: 'x' });
    const twice: [string, string][] = ['', token].map((value) => ['logout_token', value]);
    for (const body of [[], twice.slice(0, 1), twice]) expect((await postForm(body)).status).toBe(400);
    expect((await logOut('x')).status).toBe(400);
    expect((await call(service.url, 'POST /auth/oidc/backchannel-logout')).status).toBe(400);
  });

  it('should return 415 for JSON', async () => {
    const body = { logout_token: await tokenFor({ sub: 'x' }) };
    const response = await call(service.url, 'POST /auth/oidc/backchannel-logout', { body });
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('x-www-form-urlencoded') as string });
  });

  it('should return 429 after a hundred invalid tokens from an IP address', async () => {
    const limits = service.app.get(RateLimitsService);
    const spend = () => limits.spend('logout token by address', '127.0.0.1');
    await expect(Promise.all(Array.from({ length: 101 }, spend))).rejects.toMatchObject({ status: 429 });
    const token = await tokenFor({ sub: person.sub });
    expect((await logOut(token)).status).toBe(429);
    await forgetLimit();
    expect((await logOut(token)).status).toBe(200);
  });

  it('should accept more valid tokens at a time than the limit for invalid ones', async () => {
    const tokens = await Promise.all(Array.from({ length: 400 }, () => tokenFor({ sub: uuidv7() })));
    const responses = await Promise.all(tokens.map((token) => logOut(token)));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('should count invalid tokens towards the limit, but not failures of the provider', async () => {
    const other = await startApp({ database: service.database, config: { oidc: oidcSettings(provider) } });
    provider.faults.set('/jwks', (_request, response) => response.writeHead(500).end());
    expect((await logOut(await tokenFor({ sub: person.sub }), other)).status).toBe(503);
    provider.faults.clear();
    expect(await countAttempts()).toBe(0);
    expect((await logOut('no token')).status).toBe(400);
    expect(await countAttempts()).toBe(1);
  });

  it('should return 503 if the provider has not been reached yet', async () => {
    const token = await tokenFor({ sub: person.sub });
    const oidc = { ...oidcSettings(provider), issuer: 'http://127.0.0.1:1' };
    const other = await startApp({ database: service.database, config: { oidc } });
    expect((await logOut(token, other)).status).toBe(503);
  });

  it('should return 404 without single sign-on', async () => {
    const other = await startApp({ database: service.database });
    expect((await logOut(await tokenFor({ sub: person.sub }), other)).status).toBe(404);
  });
});
