import type { RequestListener } from 'node:http';
import { EncryptJWT, SignJWT, UnsecuredJWT } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { Browser } from './browser.js';
import { oidcSettings } from './oidc-settings.js';
import { providerFaults } from './provider-faults.js';
import { callbackPath, client, type Person, TestProvider } from './test-provider.js';

const provider = new TestProvider();
const discovery = '/.well-known/openid-configuration';
const faults = Object.entries(providerFaults);
const typicalFaults = faults.filter(([name]) => ['an error', 'HTML', 'an endless body', 'silence'].includes(name));
let owner: Member;

interface Limits {
  timeoutMilliseconds?: number;
  cooldownMilliseconds?: number;
}

/** Returns the settings of an app that rejects large provider responses. */
function configWith(limits: Limits) {
  const settings = oidcSettings(provider);
  return { oidc: { ...settings, defaultRole: 'Everyone', limits: { ...settings.limits, bytes: 100_000, ...limits } } };
}

const service = useTestApp(async () => {
  await provider.start();
  return { config: configWith({ timeoutMilliseconds: 400, cooldownMilliseconds: 0 }) };
});
const startApp = useAppStarter();

/** Starts an app that has never contacted the provider. */
async function startFresh(limits: Limits): Promise<TestApp> {
  const fresh = await startApp({ database: service.database, config: configWith(limits) });
  provider.registerClient(fresh.url);
  return fresh;
}

beforeAll(async () => {
  provider.registerClient(service.url);
  owner = await createMember(service);
  await service.query(`update roles set name = 'Everyone' where id = $1`, [owner.roleId]);
});
afterEach(() => provider.faults.clear());
afterAll(() => provider.stop());

async function signIn(person: Person, url = service.url): Promise<string> {
  provider.visitor = person;
  const browser = new Browser();
  const start = `${url}/auth/oidc/start`;
  const isReached = (page: string) => page.startsWith(url + callbackPath) || page.startsWith(`${url}/sign-in`);
  const page = await browser.follow(start, isReached);
  return page.startsWith(`${url}/sign-in`) ? page : browser.step(page);
}

const unavailablePage = (url = service.url) => `${url}/sign-in?error=identity-provider-unavailable`;
const accountsOf = ({ sub, email }: Person) =>
  service.query(
    `select id::text from user_identities where subject = $1 union all select id::text from users where email = $2`,
    [sub, email],
  );

describe.each([
  ['userinfo', '/me'],
  ['token', '/token'],
])('Signing in while the %s endpoint responds with', (_name, path) => {
  it.each(faults)('%s should fail as the provider being unavailable and create no account', async (_fault, respond) => {
    const person = provider.meet();
    provider.faults.set(path, respond);
    expect(await signIn(person)).toBe(unavailablePage());
    expect(await accountsOf(person)).toEqual([]);
    provider.faults.clear();
    expect(await signIn(person)).toBe(`${service.url}/`);
  });
});

describe('A userinfo response', () => {
  it('should be ignored if it is about another subject', async () => {
    const person = provider.meet();
    provider.faults.set('/me', respondWith(JSON.stringify({ ...person, sub: uuidv7() })));
    expect(await signIn(person)).toBe(unavailablePage());
    expect(await accountsOf(person)).toEqual([]);
  });

  it.each([401, 403])('with status %d should refuse the person, since their claims are unknown', async (status) => {
    const person = provider.meet();
    provider.faults.set('/me', (_request, response) => response.writeHead(status).end('no'));
    expect(await signIn(person)).toBe(`${service.url}/sign-in?error=identity-refused`);
    expect(await accountsOf(person)).toEqual([]);
  });

  const respondWith =
    (body: string): RequestListener =>
    (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);

  it('should be accepted only up to the size limit', async () => {
    const person = provider.meet();
    const bodyOf = (bytes: number) => JSON.stringify(person).padEnd(bytes);
    provider.faults.set('/me', respondWith(bodyOf(100_001)));
    expect(await signIn(person)).toBe(unavailablePage());
    provider.faults.set('/me', respondWith(bodyOf(100_000)));
    expect(await signIn(person)).toBe(`${service.url}/`);
  });

  it('should not be fetched through a redirect', async () => {
    const person = provider.meet();
    provider.faults.set('/me', (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    provider.faults.set('/elsewhere', respondWith(JSON.stringify(person)));
    expect(await signIn(person)).toBe(unavailablePage());
    expect(provider.requests).not.toContain('/elsewhere');
  });

  it('should be accepted as a JWT signed by the provider', async () => {
    const person = provider.meet({ organization: owner.organizationId });
    provider.faults.set('/me', respondWithJwt(provider.sign({ ...person, aud: client.id }, { typ: 'JWT' })));
    expect(await signIn(person)).toBe(`${service.url}/`);
    expect(await accountsOf(person)).toHaveLength(2);
  });

  const stranger = 'someone else';
  it.each<[string, (person: Person) => Promise<string>]>([
    ['about another subject', (person) => provider.sign({ ...person, sub: stranger })],
    ['from another issuer', (person) => provider.sign({ ...person, iss: 'https://id.example.com' })],
    ['signed with an unknown key', (person) => provider.sign({ ...person }, { kid: 'unknown' })],
    ['expired', (person) => provider.sign({ ...person, exp: 1 })],
    ['unsigned', (person) => Promise.resolve(new UnsecuredJWT({ ...person }).encode())],
    [
      'signed with a secret',
      (person) => new SignJWT({ ...person }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
    ],
    [
      'encrypted',
      (person) =>
        new EncryptJWT({ ...person }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(Buffer.alloc(32)),
    ],
  ])('should be treated as provider failure if it is a JWT %s', async (_fault, jwtOf) => {
    const person = provider.meet();
    provider.faults.set('/me', respondWithJwt(jwtOf(person)));
    expect(await signIn(person)).toBe(unavailablePage());
    expect(await accountsOf(person)).toEqual([]);
  });

  it('should log the relevant setting if the endpoint rejects the access token', async () => {
    provider.faults.set('/me', (_request, response) => response.writeHead(401).end());
    const { sub } = provider.meet();
    const response = await call(service.url, 'GET /auth/me', { token: await provider.sign({ sub }) });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('OIDC_USERINFO=off') as string });
  });

  it("should be required for a person's first access token", async () => {
    const { sub } = provider.meet();
    const token = await provider.sign({ sub, roles: ['Everyone'] });
    provider.faults.set('/me', providerFaults['an error']);
    const response = await call(service.url, 'GET /auth/me', { token });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.body).toMatchObject({ code: 'identity-provider-unavailable' });
  });
});

const respondWithJwt =
  (token: Promise<string>): RequestListener =>
  (_request, response) => {
    void token.then((text) => response.writeHead(200, { 'content-type': 'application/jwt' }).end(text));
  };

describe('An ID token', () => {
  it.each<[string, object]>([
    ['was issued in a future year', { iat: Date.now() }],
    ['was issued later than any date', { iat: 1e15 }],
    ['has a subject that cannot be stored', { sub: 'a\0b' }],
  ])('should be rejected if it %s', async (_fault, claims) => {
    const person = { ...provider.meet(), ...claims };
    provider.visitor = provider.meet();
    const browser = new Browser();
    const start = await browser.step(`${service.url}/auth/oidc/start`);
    const nonce = new URL(start).searchParams.get('nonce');
    const callback = await browser.follow(start, (page) => page.startsWith(service.url + callbackPath));
    const idToken = await provider.sign({ ...person, aud: client.id, nonce, ...claims }, { typ: 'JWT' });
    const tokens = { access_token: 'token', token_type: 'Bearer', id_token: idToken };
    provider.faults.set('/token', respondWithJson(tokens));
    provider.faults.set('/me', respondWithJson(person));
    expect(await browser.step(callback)).toBe(`${service.url}/sign-in?error=sign-in-failed`);
    expect(await service.query('select 1 from users where email = $1', [person.email])).toEqual([]);
  });
});

const respondWithJson =
  (body: object): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

describe('With OIDC_USERINFO=off, Keycard', () => {
  const tokenOnly = useTestApp(() => {
    const oidc = { ...oidcSettings(provider), userinfo: false, defaultRole: 'Everyone' };
    return { database: service.database, config: { oidc } };
  });
  beforeAll(() => provider.registerClient(tokenOnly.url));
  beforeEach(() => {
    provider.putClaimsIntoIdTokens(true);
    provider.faults.set('/me', (_request, response) => response.writeHead(401).end());
  });
  afterEach(() => provider.putClaimsIntoIdTokens(false));

  it('should sign in people whose ID token has all claims, without calling the endpoint', async () => {
    const person = provider.meet({ organization: owner.organizationId });
    provider.requests.length = 0;
    expect(await signIn(person, tokenOnly.url)).toBe(`${tokenOnly.url}/`);
    expect(await accountsOf(person)).toHaveLength(2);
    expect(provider.requests).not.toContain('/me');
  });

  it.each([{ email: undefined }, { email_verified: undefined }, { email_verified: false }])(
    'should reject people whose ID token lacks a verified email: %j',
    async (claims) => {
      const person = provider.meet({ organization: owner.organizationId, ...claims });
      expect(await signIn(person, tokenOnly.url)).toBe(`${tokenOnly.url}/sign-in?error=identity-refused`);
      expect(await accountsOf(person)).toEqual([]);
    },
  );

  it("should read a program's claims from the access token", async () => {
    const { sub, email } = provider.meet();
    const me = async (claims: object) =>
      (await call(tokenOnly.url, 'GET /auth/me', { token: await provider.sign({ sub, ...claims }) })).status;
    expect(await me({ organization: owner.organizationId })).toBe(403);
    expect(await me({ organization: owner.organizationId, email, email_verified: true })).toBe(200);
  });
});

describe('A service that has never reached the provider', () => {
  let fresh: TestApp;
  let person: Person;
  beforeEach(async () => {
    fresh = await startFresh({ timeoutMilliseconds: 400, cooldownMilliseconds: 0 });
    person = provider.meet({ organization: owner.organizationId });
  });

  const me = async () =>
    (await call(fresh.url, 'GET /auth/me', { token: await provider.issueAccessToken(person) })).status;

  it.each(typicalFaults)('should recover once discovery stops responding with %s', async (_fault, respond) => {
    provider.faults.set(discovery, respond);
    expect(await me()).toBe(503);
    expect(await signIn(person, fresh.url)).toBe(unavailablePage(fresh.url));
    provider.faults.clear();
    expect(await me()).toBe(200);
    expect(await signIn(person, fresh.url)).toBe(`${fresh.url}/`);
  });

  it.each(typicalFaults)('should recover once the key set stops responding with %s', async (_fault, respond) => {
    provider.faults.set('/jwks', respond);
    expect(await me()).toBe(503);
    provider.faults.clear();
    expect(await me()).toBe(200);
  });

  it.each([
    ['authorization_endpoint', undefined],
    ['token_endpoint', undefined],
    ['token_endpoint', 'no URL'],
    ['jwks_uri', undefined],
    ['jwks_uri', 'ftp://127.0.0.1/jwks'],
    ['userinfo_endpoint', 5],
    ['issuer', 'https://id.example.com'],
  ])('should not cache a discovery document with %s = %s', async (name, value) => {
    const published = (await (await fetch(provider.issuer + discovery)).json()) as object;
    const body = JSON.stringify({ ...published, [name]: value });
    provider.faults.set(discovery, (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    expect(await signIn(person, fresh.url)).toBe(unavailablePage(fresh.url));
    provider.faults.clear();
    expect(await signIn(person, fresh.url)).toBe(`${fresh.url}/`);
  });

  it('should not accept an empty key set', async () => {
    provider.faults.set('/jwks', (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}'),
    );
    expect(await me()).toBe(503);
    provider.faults.clear();
    expect(await me()).toBe(200);
  });
});

describe('While the provider fails, tokens', () => {
  const requestsTo = (path: string) => provider.requests.filter((requested) => requested === path).length;

  it.each([
    ['discovery', discovery],
    ['the key set', '/jwks'],
  ])('should cause one request for %s, not one each', async (_name, path) => {
    const fresh = await startFresh({ cooldownMilliseconds: 60_000 });
    const { sub } = provider.meet();
    provider.faults.set(path, providerFaults['an error']);
    const before = requestsTo(path);
    const statuses = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const token = await provider.sign({ sub }, { kid: `unknown-${attempt}` });
      statuses.push((await call(fresh.url, 'GET /auth/me', { token })).status);
    }
    expect(statuses).toEqual([503, 503, 503, 503, 503]);
    expect(requestsTo(path) - before).toBe(1);
  });
});
