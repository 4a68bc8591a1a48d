import { RateLimitsService } from '../../src/auth/limits/rate-limits.service.js';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { Browser } from './browser.js';
import { callbackPath, type Person } from './test-provider.js';

let owner: Member;
let person: Person;

const { provider, service } = useSingleSignOn({}, { passwordSignIn: false });
const startApp = useAppStarter();
beforeEach(async () => {
  owner = await createMember(service);
  person = provider.meet();
});

async function invite(email = person.email): Promise<{ id: string; token: string }> {
  const body = { email, roleId: owner.roleId };
  const response = await call(service.url, 'POST /members', { token: owner.token, body });
  const { id, link } = response.body as CreatedInvitationDto;
  return { id, token: link.split('#token=')[1] ?? '' };
}

const startUrl = () => `${service.url}/auth/oidc/start-invitation`;
const isCallback = (url: string) => url.startsWith(service.url + callbackPath);
const errorPage = (code: string) => `${service.url}/accept-invitation?error=${code}`;

/** Presents the token, signs in at the provider, and returns the callback URL. */
async function visitProvider(browser: Browser, token: string, visitor: Person | undefined): Promise<string> {
  provider.visitor = visitor;
  const { url } = (await (await browser.post(startUrl(), { token })).json()) as { url: string };
  return browser.follow(url, isCallback);
}

/** Returns the page the browser ends on. */
async function accept(token: string, visitor: Person | undefined, browser = new Browser()): Promise<string> {
  return browser.step(await visitProvider(browser, token, visitor));
}

async function signIn(browser: Browser, visitor: Person): Promise<string> {
  provider.visitor = visitor;
  return browser.step(await browser.follow(`${service.url}/auth/oidc/start`, isCallback));
}

async function me(browser: Browser): Promise<unknown> {
  const cookie = `keycard_refresh=${browser.cookie(service.url, 'keycard_refresh')}`;
  const { body } = await call(service.url, 'POST /auth/refresh', { headers: { cookie } });
  const { accessToken } = body as { accessToken: string };
  return (await call(service.url, 'GET /auth/me', { token: accessToken })).body;
}

const actionsOf = async () =>
  (await readAuditEvents(service, { organizationId: owner.organizationId })).map(({ action }) => action);
const memberCount = async () =>
  ((await call(service.url, 'GET /members', { token: owner.token })).body as { total: number }).total;

describe('An invitation accepted through the identity provider', () => {
  it('should create an account without a password, add it and sign it in', async () => {
    const browser = new Browser();
    const { token } = await invite();
    expect(await accept(token, person, browser)).toBe(`${service.url}/`);
    expect(await me(browser)).toMatchObject({
      user: { email: person.email, name: 'Ada' },
      organization: { id: owner.organizationId },
      role: { id: owner.roleId },
    });
    const accounts = await service.query('select password_hash from users where email = $1', [person.email]);
    expect(accounts).toEqual([{ password_hash: null }]);
  });

  it('should record events for acceptance and sign-in', async () => {
    const { id, token } = await invite();
    await accept(token, person);
    const events = await readAuditEvents(service, { organizationId: owner.organizationId });
    const actorEmail = person.email;
    expect(events.slice(1)).toMatchObject([
      { action: 'invitation.accept', actorEmail, targetId: id, after: { role: `Role ${owner.roleId}` } },
      { action: 'sign-in', actorEmail },
    ]);
  });

  it('should use an existing account with the email or identity', async () => {
    const known = provider.meet();
    const { userId } = await createMember(service, { email: known.email });
    const browser = new Browser();
    await accept((await invite(known.email)).token, known, browser);
    expect(await me(browser)).toMatchObject({ user: { id: userId }, organization: { id: owner.organizationId } });
    const other = await createMember(service);
    const body = { email: known.email.toUpperCase(), roleId: other.roleId };
    const response = await call(service.url, 'POST /members', { token: other.token, body });
    await accept((response.body as CreatedInvitationDto).link.split('#token=')[1] ?? '', known, browser);
    expect(await me(browser)).toMatchObject({ user: { id: userId }, organization: { id: other.organizationId } });
  });

  it("should create a membership that later claims don't change", async () => {
    await accept((await invite()).token, person);
    const browser = new Browser();
    expect(await signIn(browser, person)).toBe(`${service.url}/`);
    expect(await me(browser)).toMatchObject({ role: { id: owner.roleId } });
  });

  it('should readmit a provisioned member whom an administrator removed', async () => {
    person = provider.meet({ organization: owner.organizationId, roles: [`Role ${owner.roleId}`] });
    expect(await signIn(new Browser(), person)).toBe(`${service.url}/`);
    const { token } = owner;
    const { body } = await call(service.url, `GET /members?search=${person.email}`, { token });
    const [member] = (body as { members: { id: string }[] }).members;
    await call(service.url, `DELETE /members/${member?.id}`, { token });
    expect(await signIn(new Browser(), person)).toBe(`${service.url}/sign-in?error=no-organization`);
    expect(await accept((await invite()).token, person)).toBe(`${service.url}/`);
    expect(await signIn(new Browser(), person)).toBe(`${service.url}/`);
  });

  it('should work once', async () => {
    const { token } = await invite();
    const [first, second] = [new Browser(), new Browser()];
    const urls = [await visitProvider(first, token, person), await visitProvider(second, token, person)];
    const ends = await Promise.all([first.step(urls[0] ?? ''), second.step(urls[1] ?? '')]);
    expect(ends.sort()).toEqual([`${service.url}/`, errorPage('not-found')]);
    expect(await memberCount()).toBe(2);
    expect((await new Browser().post(startUrl(), { token })).status).toBe(404);
  });
});

describe('An invitation not accepted through the identity provider', () => {
  it.each([
    ['another email', () => provider.meet(), 'invitation-mismatch'],
    ['an unverified email', () => provider.meet({ email: person.email, email_verified: false }), 'identity-refused'],
    ['no email', () => provider.meet({ email: undefined }), 'identity-refused'],
    ['a refusal', () => undefined, 'access-denied'],
  ])('should stay open if the visitor returns with %s', async (_title, visitorOf, code) => {
    const browser = new Browser();
    const { token } = await invite();
    expect(await accept(token, visitorOf(), browser)).toBe(errorPage(code));
    expect(browser.cookie(service.url, 'keycard_refresh')).toBeUndefined();
    expect(await memberCount()).toBe(1);
    expect(await accept(token, person)).toBe(`${service.url}/`);
  });

  it('should record an event for a rejected person, and create no account', async () => {
    const stranger = provider.meet();
    await accept((await invite()).token, stranger);
    const events = await service.query<{ action: string; after: { reason: string } }>(
      'select action, after from audit_events where actor_email = $1',
      [stranger.email],
    );
    expect(events).toMatchObject([
      { action: 'sign-in-failed', after: { reason: expect.stringContaining(person.email) as string } },
    ]);
    expect(await service.query('select from users where email = $1', [stranger.email])).toEqual([]);
  });

  it('should be rejected if it was withdrawn or has expired in the meantime', async () => {
    const browser = new Browser();
    const withdrawn = await invite();
    const url = await visitProvider(browser, withdrawn.token, person);
    await call(service.url, `DELETE /invitations/${withdrawn.id}`, { token: owner.token });
    expect(await browser.step(url)).toBe(errorPage('not-found'));
    const late = await invite();
    const lateUrl = await visitProvider(browser, late.token, person);
    await service.query(`update invitations set expires_at = now() - interval '1 second' where id = $1`, [late.id]);
    expect(await browser.step(lateUrl)).toBe(errorPage('invitation-expired'));
    expect(await memberCount()).toBe(1);
  });

  it('should be rejected if the person has become a member in the meantime', async () => {
    const { token } = await invite();
    const browser = new Browser();
    const url = await visitProvider(browser, token, person);
    await createMember(service, { organizationId: owner.organizationId, email: person.email });
    expect(await browser.step(url)).toBe(errorPage('conflict'));
    expect((await actionsOf()).filter((action) => action === 'invitation.accept')).toEqual([]);
  });

  it("should not be accepted by another browser's callback", async () => {
    const victim = new Browser();
    await visitProvider(victim, (await invite()).token, person);
    const stolen = await visitProvider(new Browser(), (await invite(`other-${person.email}`)).token, person);
    expect(await victim.step(stolen)).toBe(errorPage('sign-in-failed'));
    expect(await memberCount()).toBe(1);
  });
});

describe('POST /auth/oidc/start-invitation', () => {
  it('should keep the token out of URL, cookie and log', async () => {
    const { token } = await invite();
    const browser = new Browser();
    const response = await browser.post(startUrl(), { token });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/auth\/oidc; HttpOnly; SameSite=Lax/);
    const { url } = (await response.json()) as { url: string };
    expect(url).toContain(`${provider.issuer}/`);
    expect(url + cookie + service.logLines.join('')).not.toContain(token);
  });

  it('should return 404 for a wrong or expired token, and 400 without one', async () => {
    const { id, token } = await invite();
    await service.query(`update invitations set expires_at = now() - interval '1 second' where id = $1`, [id]);
    const responses = await Promise.all(['x', token].map((wrong) => new Browser().post(startUrl(), { token: wrong })));
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(await responses[1]?.json()).toMatchObject({ code: 'invitation-expired' });
    expect((await new Browser().post(startUrl(), {})).status).toBe(400);
  });

  it('should return 429 after too many failed sign-ins', async () => {
    const { token } = await invite();
    const limits = service.app.get(RateLimitsService);
    const spend = () => limits.spend('single sign-on by address', '127.0.0.1');
    await expect(Promise.all(Array.from({ length: 201 }, spend))).rejects.toMatchObject({ status: 429 });
    const response = await new Browser().post(startUrl(), { token });
    await limits.forget('single sign-on by address', '127.0.0.1');
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('should return 403 to a page of another origin', async () => {
    const response = await call(service.url, 'POST /auth/oidc/start-invitation', {
      body: await invite().then(({ token }) => ({ token })),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'cross-site-request' });
  });
});

// Last, since another app in this process takes over token verification.
describe('Without an identity provider, Keycard', () => {
  it('should return 404 for any token', async () => {
    const { token } = await invite();
    const other = await startApp({ database: service.database });
    const response = await call(other.url, 'POST /auth/oidc/start-invitation', { body: { token } });
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ detail: 'Single sign-on is not set up.' });
  });
});
