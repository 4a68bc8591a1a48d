import { v7 as uuidv7 } from 'uuid';
import { ServiceConfig } from '../../src/config/service-config.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { testJwtSecret } from '../setup/test-app.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { Browser } from './browser.js';
import { oidcSettings } from './oidc-settings.js';
import { callbackPath, type Person } from './test-provider.js';

let organizationId: string;

const { provider, service } = useSingleSignOn({ defaultRole: 'Viewer' });
const startApp = useAppStarter();
beforeAll(async () => {
  ({ organizationId } = await createMember(service));
  await service.query(
    `insert into roles (id, organization_id, name, permissions) values ($1, $2, 'Viewer', '{get-api-keys}')`,
    [uuidv7(), organizationId],
  );
});

const startOf = (returnTo = '/') => `${service.url}/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`;
const isCallback = (url: string) => url.startsWith(service.url + callbackPath);
const errorPage = (code: string) => `${service.url}/sign-in?error=${code}`;

/** Signs the person in at the provider and returns the URL it redirects to. */
async function visitProvider(browser: Browser, person: Person | undefined, returnTo?: string): Promise<string> {
  provider.visitor = person;
  return browser.follow(startOf(returnTo), isCallback);
}

/** Returns the page the browser ends on. */
async function signIn(browser: Browser, person: Person | undefined, returnTo?: string): Promise<string> {
  return browser.step(await visitProvider(browser, person, returnTo));
}

const eventsOf = (email: string) => readAuditEvents(service, { actor: email });

describe('Signing in through the identity provider', () => {
  it('should open a session and redirect to the requested page', async () => {
    const browser = new Browser();
    const person = provider.meet({ organization: organizationId });
    expect(await signIn(browser, person, '/api-keys?page=2')).toBe(`${service.url}/api-keys?page=2`);
    const refreshToken = browser.cookie(service.url, 'keycard_refresh');
    expect(refreshToken).toMatch(/\S{40}/);
    expect(browser.cookie(service.url, 'keycard_sign_in')).toBeUndefined();
    const [session] = await service.query<{ organization_id: string }>(
      'select organization_id from sessions join users on users.id = user_id where email = $1',
      [person.email],
    );
    expect(session).toEqual({ organization_id: organizationId });
  });

  it('should give the session all roles from the provider', async () => {
    await service.query(
      `insert into roles (id, organization_id, name, permissions) values ($1, $2, 'Meter', '{get-usage}')`,
      [uuidv7(), organizationId],
    );
    const browser = new Browser();
    await signIn(browser, provider.meet({ organization: organizationId, roles: ['Meter', 'Viewer'] }));
    const cookie = `keycard_refresh=${browser.cookie(service.url, 'keycard_refresh')}`;
    const { body } = await call(service.url, 'POST /auth/refresh', { headers: { cookie } });
    const { accessToken } = body as { accessToken: string };
    const response = await call(service.url, 'GET /auth/me', { token: accessToken });
    expect(response.body).toMatchObject({ role: { name: 'Meter' }, permissions: ['get-api-keys', 'get-usage'] });
  });

  it('should find the known roles among 100,000 others', async () => {
    const roles = Array.from({ length: 100_000 }, (_, index) => `g${index}`);
    const person = provider.meet({ organization: organizationId, roles: [...roles, 'Viewer'] });
    expect(await signIn(new Browser(), person)).toBe(`${service.url}/`);
    const found = await service.query(
      `select roles.name from roles join memberships on roles.id = role_id join users on users.id = user_id
        where email = $1`,
      [person.email],
    );
    expect(found).toEqual([{ name: 'Viewer' }]);
  });

  it('should accept a question mark in the query of the callback', async () => {
    const browser = new Browser();
    const callback = await visitProvider(browser, provider.meet({ organization: organizationId }));
    expect(await browser.step(callback.replace('?', '?extra=a?b&'))).toBe(`${service.url}/`);
  });

  it('should record events for the account and the sign-in', async () => {
    const person = provider.meet({ organization: organizationId });
    await signIn(new Browser(), person);
    expect(await eventsOf(person.email)).toMatchObject([
      { action: 'member.create', organizationId, after: { roles: ['Viewer'] } },
      { action: 'sign-in', organizationId, after: null },
    ]);
  });

  it('should use PKCE, state and nonce, hidden from scripts and other sites', async () => {
    const response = await new Browser().get(startOf());
    const { searchParams } = new URL(String(response.headers.get('location')));
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce']) expect(searchParams.get(name)?.length).toBeGreaterThan(30);
    const cookie = String(response.headers.get('set-cookie'));
    expect(cookie).toMatch(/; Path=\/auth\/oidc; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(String(searchParams.get('state')));
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('should reuse the account on later sign-ins', async () => {
    const person = provider.meet({ organization: organizationId });
    await signIn(new Browser(), person);
    await signIn(new Browser(), person);
    expect(await service.query('select 1 from users where email = $1', [person.email])).toHaveLength(1);
  });

  it('should use the same account as access tokens', async () => {
    const person = provider.meet({ organization: organizationId });
    await signIn(new Browser(), person);
    const token = await provider.issueAccessToken(person);
    const response = await call(service.url, 'GET /auth/me', { token });
    expect(response.body).toMatchObject({ user: { email: person.email }, permissions: ['get-api-keys'] });
  });

  it('should be listed as a sign-in method', async () => {
    const response = await call(service.url, 'GET /auth/methods');
    expect(response.status).toBe(200);
    const { host } = new URL(provider.issuer);
    expect(response.body).toEqual({
      password: true,
      passwordReset: false,
      mail: false,
      oidc: { name: host, startUrl: '/auth/oidc/start' },
    });
  });
});

describe('An existing account with the email', () => {
  it('should be used if the provider has verified the email', async () => {
    const email = `${uuidv7()}@example.com`;
    const member = await createMember(service, { email });
    await signIn(new Browser(), provider.meet({ email: email.toUpperCase() }));
    const sessions = await service.query(
      'select organization_id from sessions where user_id = $1 and user_agent is not null',
      [member.userId],
    );
    expect(sessions).toContainEqual({ organization_id: member.organizationId });
  });

  it.each([false, undefined, 'no'])('should stay closed if email_verified is %s', async (email_verified) => {
    const email = `${uuidv7()}@example.com`;
    await createMember(service, { email });
    const person = provider.meet({ email, email_verified });
    expect(await signIn(new Browser(), person)).toBe(errorPage('identity-refused'));
    expect(await service.query('select from user_identities where subject = $1', [person.sub])).toEqual([]);
    expect(await eventsOf(email)).toMatchObject([
      { action: 'sign-in-failed', after: { reason: expect.stringContaining('email_verified') as string } },
    ]);
  });

  it('should stay closed to a lookalike email', async () => {
    const email = `kelvin-${uuidv7()}@example.com`;
    const { userId } = await createMember(service, { email });
    const person = provider.meet({ email: email.replace('k', '\u212a'), organization: organizationId });
    expect(await signIn(new Browser(), person)).toBe(errorPage('identity-refused'));
    expect(await service.query('select from user_identities where user_id = $1', [userId])).toEqual([]);
  });

  it('should stay closed to a second identity with the same email', async () => {
    const email = `${uuidv7()}@example.com`;
    await signIn(new Browser(), provider.meet({ email, organization: organizationId }));
    const other = provider.meet({ email, organization: organizationId });
    expect(await signIn(new Browser(), other)).toBe(errorPage('identity-refused'));
  });
});

describe('A failed sign-in through the identity provider', () => {
  it('should report that the provider refused', async () => {
    expect(await signIn(new Browser(), undefined)).toBe(errorPage('access-denied'));
  });

  it('should let the next attempt reach the requested page', async () => {
    const page = '/dashboard/keys?name=Zo%C3%AB&page=2';
    const returnTo = encodeURIComponent(page);
    expect(await signIn(new Browser(), undefined, page)).toBe(`${errorPage('access-denied')}&returnTo=${returnTo}`);
  });

  it.each([
    ['the state is another', (url: URL) => url.searchParams.set('state', 'another')],
    ['the state is missing', (url: URL) => url.searchParams.delete('state')],
    ['the code is another', (url: URL) => url.searchParams.set('code', 'another')],
    ['the code is missing', (url: URL) => url.searchParams.delete('code')],
    ['the issuer is another', (url: URL) => url.searchParams.set('iss', 'https://id.example.com')],
  ])('should open no session if %s', async (_title, change) => {
    const browser = new Browser();
    const url = new URL(await visitProvider(browser, provider.meet({ organization: organizationId })));
    change(url);
    expect(await browser.step(url.href)).toBe(errorPage('sign-in-failed'));
    expect(browser.cookie(service.url, 'keycard_refresh')).toBeUndefined();
  });

  it("should open no session for another browser's code", async () => {
    const victim = new Browser();
    await victim.get(startOf());
    const stolen = await visitProvider(new Browser(), provider.meet({ organization: organizationId }));
    expect(await victim.step(stolen)).toBe(errorPage('sign-in-failed'));
    expect(await new Browser().step(stolen)).toBe(errorPage('sign-in-failed'));
  });

  it("should open no session with another sign-in's nonce", async () => {
    const browser = new Browser();
    provider.visitor = provider.meet({ organization: organizationId });
    const authorization = new URL(await browser.step(startOf()));
    authorization.searchParams.set('nonce', 'another');
    const url = await browser.follow(authorization.href, isCallback);
    expect(await browser.step(url)).toBe(errorPage('sign-in-failed'));
  });

  it('should open no second session', async () => {
    const browser = new Browser();
    const url = await visitProvider(browser, provider.meet({ organization: organizationId }));
    const flow = String(browser.cookie(service.url, 'keycard_sign_in'));
    expect(await browser.step(url)).toBe(`${service.url}/`);
    expect(await browser.step(url)).toBe(errorPage('sign-in-failed'));
    browser.setCookie(service.url, 'keycard_sign_in', flow);
    expect(await browser.step(url)).toBe(errorPage('sign-in-failed'));
  });

  it('should open no session if the browser sends two cookies', async () => {
    const [victim, attacker] = [new Browser(), new Browser()];
    const url = await visitProvider(attacker, provider.meet({ organization: organizationId }));
    await victim.get(startOf());
    const flows = [attacker, victim].map((browser) => String(browser.cookie(service.url, 'keycard_sign_in')));
    for (const [first, second] of [flows, flows.toReversed()]) {
      victim.setCookie(service.url, 'keycard_sign_in', `${first}; keycard_sign_in=${second}`);
      expect(await victim.step(url)).toBe(errorPage('sign-in-failed'));
    }
    expect(victim.cookie(service.url, 'keycard_refresh')).toBeUndefined();
  });

  it('should bind its cookie to the host behind TLS', async () => {
    const headers = { host: 'keycard.example.com' };
    const { headers: sent } = await service.app
      .getHttpAdapter()
      .getInstance()
      .inject({ url: '/auth/oidc/start', headers });
    expect(sent['set-cookie']).toMatch(
      /^__Host-keycard_sign_in=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('should open no session for a forged cookie', async () => {
    const browser = new Browser();
    const url = await visitProvider(browser, provider.meet({ organization: organizationId }));
    const flow = String(browser.cookie(service.url, 'keycard_sign_in'));
    browser.setCookie(service.url, 'keycard_sign_in', flow.slice(0, -8) + 'AAAAAAAA');
    expect(await browser.step(url)).toBe(errorPage('sign-in-failed'));
  });

  it.each(['https://example.com/', '//example.com', '/\\example.com', 'api-keys', '', `/${'x'.repeat(1024)}`])(
    'should return 400 if returnTo is %j',
    async (returnTo) => {
      const response = await new Browser().get(startOf(returnTo));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ errors: [{ field: 'returnTo' }] });
    },
  );

  it('should never log a secret, code or token', async () => {
    const browser = new Browser();
    const url = new URL(await visitProvider(browser, provider.meet({ organization: organizationId })));
    const flow = String(browser.cookie(service.url, 'keycard_sign_in'));
    await browser.step(url.href);
    const log = service.logLines.join('\n');
    const secrets = [
      flow,
      String(url.searchParams.get('code')),
      String(browser.cookie(service.url, 'keycard_refresh')),
    ];
    for (const secret of [...secrets, String(oidcSettings(provider).clientSecret)]) expect(log).not.toContain(secret);
  });
});

describe('With single sign-on only', () => {
  it('an account without a password should reject every password', async () => {
    const person = provider.meet({ organization: organizationId });
    await signIn(new Browser(), person);
    for (const password of ['null', 'decoy', '']) {
      const response = await call(service.url, 'POST /auth/sign-in', { body: { email: person.email, password } });
      expect([400, 401]).toContain(response.status);
    }
  });

  it('password sign-in should return 403 and not be listed', async () => {
    const { database } = service;
    const other = await startApp({ database, config: { passwordSignIn: false, oidc: oidcSettings(provider) } });
    const response = await call(other.url, 'POST /auth/sign-in', { body: { email: 'a@example.com', password: 'x' } });
    const methods = await call(other.url, 'GET /auth/methods');
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'password-sign-in-off' });
    expect(methods.body).toMatchObject({ password: false });
  });
});

describe('Signing in through the identity provider during a JWT_SECRET rotation', () => {
  it('should succeed if a replica with the new secret handles the callback', async () => {
    const jwtSecrets = ['the secret that comes next, longer than 32 bytes', testJwtSecret] as const;
    const { oidc } = service.app.get(ServiceConfig);
    const replica = await startApp({ database: service.database, config: { oidc, jwtSecrets } });
    const browser = new Browser();
    const callback = await visitProvider(browser, provider.meet({ organization: organizationId }), '/api-keys');
    browser.setCookie(replica.url, 'keycard_sign_in', String(browser.cookie(service.url, 'keycard_sign_in')));
    expect(await browser.step(callback.replace(service.url, replica.url))).toBe(`${replica.url}/api-keys`);
  });
});
