import { createHmac, createPublicKey } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import type { Permission } from '../../src/access/permissions.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { oidcSettings } from './oidc-settings.js';
import type { Person } from './test-provider.js';

const { provider, service } = useSingleSignOn();
const startApp = useAppStarter();
afterAll(() => jest.restoreAllMocks());

const me = (token: string) => call(service.url, 'GET /auth/me', { token });

/** Creates an organization with roles `Viewer` and `Creator`. */
async function createOrganization(): Promise<string> {
  const { organizationId } = await createMember(service);
  await createRole(organizationId, 'Viewer', ['get-api-keys']);
  await createRole(organizationId, 'Creator', ['create-api-keys']);
  return organizationId;
}

async function createRole(organizationId: string, name: string, permissions: Permission[]): Promise<string> {
  const id = uuidv7();
  const sql = 'insert into roles (id, organization_id, name, permissions) values ($1, $2, $3, $4)';
  await service.query(sql, [id, organizationId, name, permissions]);
  return id;
}

/** Creates a person at the provider who is a viewer of a new organization. */
async function meetViewer(): Promise<Person> {
  return provider.meet({ organization: await createOrganization(), roles: ['Viewer'] });
}

const clock = { now: Date.now, aheadMilliseconds: 0 };

/** Advances the clock for fetching keys. Tokens are compared with another clock. */
function letPass(seconds: number): void {
  clock.aheadMilliseconds += seconds * 1000;
  jest.spyOn(Date, 'now').mockImplementation(() => clock.now() + clock.aheadMilliseconds);
}

/** Rotates the signing key and lets Keycard fetch it. */
async function rotateKeys(algorithm: string): Promise<void> {
  await provider.rotateKeys(algorithm);
  letPass(11);
}

describe('An access token of the identity provider', () => {
  it('should admit a new person to the management routes with the named role', async () => {
    const person = await meetViewer();
    const token = await provider.issueAccessToken(person);
    const response = await me(token);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      user: { email: person.email, name: 'Ada' },
      organization: { id: person['organization'] },
      role: { name: 'Viewer' },
      permissions: ['get-api-keys'],
    });
    expect((await call(service.url, 'GET /api-keys', { token })).status).toBe(200);
    expect((await call(service.url, 'POST /api-keys', { token, body: { name: 'A key' } })).status).toBe(403);
  });

  it('should create one account for concurrent first requests', async () => {
    const token = await provider.issueAccessToken(await meetViewer());
    const responses = await Promise.all(Array.from({ length: 8 }, () => me(token)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map(({ body }) => (body as { user: { id: string } }).user.id)).size).toBe(1);
  });

  it.each(['ES256', 'Ed25519'])('should be accepted if it is signed with %s', async (algorithm) => {
    await rotateKeys(algorithm);
    expect((await me(await provider.issueAccessToken(await meetViewer()))).status).toBe(200);
  });

  it('should not affect built-in tokens and API keys', async () => {
    const member = await createMember(service);
    expect((await me(member.token)).status).toBe(200);
    const { key } = await createApiKey(service, member);
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
    expect((await me(key)).body).toMatchObject({ code: 'wrong-credential' });
  });

  it('should not be accepted on AI routes', async () => {
    const token = await provider.issueAccessToken(await meetViewer());
    expect((await call(service.url, 'GET /v1/models', { token })).status).toBe(401);
  });
});

describe('A token that names the identity provider', () => {
  const seconds = () => Math.floor(new Date().getTime() / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString()) as JWTPayload;

  const unsigned = async ({ sub }: Person) => {
    const claims = claimsOf(await provider.sign({ sub }));
    return `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims)}.`;
  };
  const signedWithPublicKey = async ({ sub }: Person) => {
    await rotateKeys('RS256');
    const [key = {}] = provider.keys;
    const secret = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const text = `${encode({ alg: 'HS256', kid: key.kid })}.${encode(claimsOf(await provider.sign({ sub })))}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const tampered = async ({ sub }: Person) => {
    const [header, , signature] = (await provider.sign({ sub })).split('.');
    return `${header}.${encode(claimsOf(await provider.sign({ sub, roles: ['Owner'] })))}.${signature}`;
  };

  it('should be accepted if it is valid', async () => {
    const { sub, ...claims } = await meetViewer();
    expect((await me(await provider.sign({ sub, ...claims }))).status).toBe(200);
  });

  it.each<[string, (person: Person) => Promise<string>, string]>([
    ['for another audience', ({ sub }) => provider.sign({ sub, aud: 'someone' }), '"aud"'],
    ['for the client, as ID tokens are', ({ sub }) => provider.sign({ sub, aud: 'keycard' }), '"aud"'],
    ['an ID token', ({ sub }) => provider.sign({ sub, nonce: 'n' }), 'not an access token'],
    ['a logout token', ({ sub }) => provider.sign({ sub, events: {} }, { typ: 'logout+jwt' }), 'not an access token'],
    ['without a scope or a type', ({ sub }) => provider.sign({ sub }, { typ: undefined }), 'not an access token'],
    ['expired', ({ sub }) => provider.sign({ sub, exp: seconds() - 6 }), 'expired'],
    ['never to expire', ({ sub }) => provider.sign({ sub, exp: undefined }), '"exp"'],
    ['not valid yet', ({ sub }) => provider.sign({ sub, nbf: seconds() + 60 }), '"nbf"'],
    ['without a subject', () => provider.sign({ sub: undefined }), '"sub"'],
    ['without a time', ({ sub }) => provider.sign({ sub, iat: undefined }), '"iat"'],
    ['of a subject that no database can hold', () => provider.sign({ sub: 'a\0b' }), '"sub"'],
    ['of the future', ({ sub }) => provider.sign({ sub, iat: seconds() + 3600 }), '"iat"'],
    ['of no time at all', ({ sub }) => provider.sign({ sub, iat: 1e300 }), '"iat"'],
    ['unsigned', unsigned, 'not valid'],
    ['signed with HS256 and the public key', signedWithPublicKey, 'not valid'],
    ['signed for other claims', tampered, 'not valid'],
    ['of an unknown key', ({ sub }) => provider.sign({ sub }, { kid: 'unknown' }), 'not valid'],
  ])('should be rejected if it is %s', async (_title, make, reason) => {
    const person = await meetViewer();
    const response = await me(await make(person));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keycard", error="invalid_token"');
    expect(response.body).toMatchObject({
      code: 'invalid-credential',
      detail: expect.stringContaining(reason) as string,
    });
    expect(await service.query('select from users where email = $1', [person.email])).toEqual([]);
  });

  it('should be rejected if it is an ID token and the audience is the client ID', async () => {
    const { database } = service;
    const oidc = { ...oidcSettings(provider), audience: 'keycard', defaultRole: 'Viewer' };
    const other = await startApp({ database, config: { oidc } });
    provider.registerClient(other.url);
    const person = await meetViewer();
    const { sub, ...claims } = person;
    const statusOf = async (token: string) => (await call(other.url, 'GET /auth/me', { token })).status;
    const statuses = {
      // As oidc-provider signs it, without a nonce.
      issued: await statusOf(await provider.issueIdToken(person)),
      bare: await statusOf(await provider.sign({ ...claims, sub, aud: 'keycard' }, { typ: 'JWT' })),
      access: await statusOf(await provider.sign({ ...claims, sub, aud: 'keycard', scope: 'openid' }, { typ: 'JWT' })),
    };
    expect(statuses).toEqual({ issued: 401, bare: 401, access: 200 });
  });

  it('should be rejected if it has another issuer', async () => {
    const { sub } = await meetViewer();
    expect((await me(await provider.sign({ sub, iss: `${provider.issuer}/` }))).status).toBe(401);
  });

  it('should be rejected if no audience is configured', async () => {
    const { database } = service;
    const oidc = { ...oidcSettings(provider), audience: undefined };
    const other = await startApp({ database, config: { oidc } });
    const token = await provider.issueAccessToken(await meetViewer());
    const response = await call(other.url, 'GET /auth/me', { token });
    expect(response.status).toBe(401);
  });
});

describe('When the identity provider rotates its keys, Keycard', () => {
  it('should accept the new key immediately and then reject the old one', async () => {
    const person = await meetViewer();
    const old = await provider.issueAccessToken(person);
    expect((await me(old)).status).toBe(200);
    await rotateKeys('RS256');
    expect((await me(old)).status).toBe(200);
    expect((await me(await provider.issueAccessToken(person))).status).toBe(200);
    expect((await me(old)).status).toBe(401);
  });

  it('should reject a withdrawn key even without seeing the new one', async () => {
    const person = await meetViewer();
    const old = await provider.sign({ ...person });
    expect((await me(old)).status).toBe(200);
    await provider.rotateKeys('RS256');
    letPass(301);
    // The next request is still served with the old keys while new ones are fetched.
    await waitFor(async () => (await me(old)).status !== 200);
    expect((await me(old)).status).toBe(401);
  });
});
