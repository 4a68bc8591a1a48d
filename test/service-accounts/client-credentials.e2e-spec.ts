import { isDeepStrictEqual } from 'node:util';
import * as client from 'openid-client';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import {
  createServiceAccount,
  requestToken,
  sendForm,
  type TestServiceAccount,
  tokenOf,
} from '../factories/service-accounts.js';
import { type CallResponse, call } from '../setup/call.js';
import { statementsOf } from '../setup/request-statements.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas({ config: { trustProxy: true } });
let owner: Member;
let account: TestServiceAccount;

beforeEach(async () => {
  owner = await createMember(service);
  account = await createServiceAccount(service, owner);
});

const form = (fields: Record<string, string> = {}) => ({
  grant_type: 'client_credentials',
  client_id: account.id,
  client_secret: account.clientSecret,
  ...fields,
});
const basic = (id = account.id, secret = account.clientSecret) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const errorOf = ({ status, body }: CallResponse) => [status, (body as { error?: string }).error];
const grant = { grant_type: 'client_credentials' };
const get = (route: string, token: string, at: { url: string } = service) => call(at.url, `GET ${route}`, { token });

describe('POST /auth/token', () => {
  it.each([
    ['HTTP Basic', client.ClientSecretBasic],
    ['the form', client.ClientSecretPost],
  ])('should issue a token to openid-client with credentials in %s', async (_title, authentication) => {
    const server = { issuer: service.url, token_endpoint: `${service.url}/auth/token` };
    const config = new client.Configuration(server, account.id, undefined, authentication(account.clientSecret));
    client.allowInsecureRequests(config);
    const tokens = await client.clientCredentialsGrant(config);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    expect((await get('/api-keys', tokens.access_token)).status).toBe(200);
    const wrong = new client.Configuration(server, account.id, undefined, authentication('wrong'));
    client.allowInsecureRequests(wrong);
    await expect(client.clientCredentialsGrant(wrong)).rejects.toMatchObject(
      authentication === client.ClientSecretBasic
        ? { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401 }
        : { status: 401 },
    );
  });

  it('should return exactly a bearer token, with no-store', async () => {
    const response = await requestToken(service, account);
    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      token_type: 'Bearer',
      expires_in: 900,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('should return the same invalid_client for an unknown client and a wrong secret', async () => {
    const other = await createServiceAccount(service, owner);
    const responses = await Promise.all([
      sendForm(service.url, form({ client_id: other.id })),
      sendForm(service.url, form({ client_secret: `${account.clientSecret}x` })),
      sendForm(service.url, form({ client_id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f' })),
      sendForm(service.url, form({ client_id: 'not-a-uuid' })),
      sendForm(service.url, grant, basic(account.id, other.clientSecret)),
    ]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    for (const response of responses) {
      expect(errorOf(response)).toEqual([401, 'invalid_client']);
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="keycard"');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it.each([
    ['no credentials', {}],
    ['a Bearer token', { authorization: 'Bearer x' }],
    ['Basic without a colon', { authorization: `Basic ${Buffer.from('x').toString('base64')}` }],
    ['Basic with a wrong encoding', { authorization: `Basic ${Buffer.from('%zz:%').toString('base64')}` }],
    ['Basic without credentials', { authorization: 'Basic ' }],
  ])('should return invalid_client for %s', async (_title, headers) => {
    expect(errorOf(await sendForm(service.url, grant, headers as Record<string, string>))).toEqual([
      401,
      'invalid_client',
    ]);
  });

  it.each([
    ['unsupported_grant_type', { grant_type: 'password' }],
    ['invalid_request', { grant_type: '' }],
    ['invalid_scope', { scope: 'admin' }],
  ])('should return %s for %j', async (error, fields) => {
    expect(errorOf(await sendForm(service.url, form(fields)))).toEqual([400, error]);
  });

  it('should return invalid_request for credentials sent twice, and repeated fields', async () => {
    expect(errorOf(await sendForm(service.url, form(), basic()))).toEqual([400, 'invalid_request']);
    const otherId = { ...grant, client_id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f' };
    expect(errorOf(await sendForm(service.url, otherId, basic()))).toEqual([400, 'invalid_request']);
    expect(errorOf(await sendForm(service.url, 'grant_type=a&grant_type=b'))).toEqual([400, 'invalid_request']);
  });

  it('should ignore unknown fields, an empty scope, and the client id next to HTTP Basic', async () => {
    expect((await sendForm(service.url, form({ audience: 'x', scope: '' }))).status).toBe(200);
    expect((await sendForm(service.url, { ...grant, client_id: account.id }, basic())).status).toBe(200);
  });

  it('should reject thousands of fields without using much CPU time', async () => {
    const fields = Array.from({ length: 24_000 }, (_, number) => number.toString(36)).join('&');
    const before = process.cpuUsage();
    expect(errorOf(await sendForm(service.url, fields))).toEqual([400, 'invalid_request']);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(500_000);
  });

  it('should reject a repeated field without repeating its long name', async () => {
    const name = 'x'.repeat(40_000);
    const { body } = await sendForm(service.url, `${name}=1&${name}=2`);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: `${'x'.repeat(100)} must be sent once.`,
    });
  });

  it('should return invalid_request with 415 for JSON', async () => {
    const response = await call(service.url, 'POST /auth/token', { body: form() });
    expect(errorOf(response)).toEqual([415, 'invalid_request']);
  });

  it('should return 429 with Retry-After after 100 failures from one IP address, but not to others', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const attempt = () => sendForm(service.url, { ...grant, ...form({ client_secret: 'wrong' }) }, headers);
    for (let number = 0; number < 10; number++) await Promise.all(Array.from({ length: 10 }, attempt));
    const response = await sendForm(replica.url, form(), headers);
    expect(errorOf(response)).toEqual([429, 'temporarily_unavailable']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await sendForm(replica.url, form(), { 'x-forwarded-for': '203.0.113.10' })).status).toBe(200);
  });

  it('should accept more correct credentials at a time than the limit for wrong ones', async () => {
    const responses = await Promise.all(Array.from({ length: 400 }, () => requestToken(service, account)));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('should record sign-ins and failed sign-ins of the service account', async () => {
    await requestToken(service, account);
    await requestToken(service, { ...account, clientSecret: 'wrong' });
    const actor = { actorKind: 'service-account', actorId: account.id, actorName: account.name, actorEmail: null };
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toMatchObject([
      { ...actor, action: 'sign-in', targetKind: 'service-account', targetId: account.id },
      { ...actor, action: 'sign-in-failed', targetKind: 'service-account', targetId: account.id },
    ]);
  });
});

describe('POST /auth/token with an unknown client id', () => {
  const unknown = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

  it('should record an event that belongs to no organization', async () => {
    const countEvents = async () => {
      const events = await readAuditEvents(service, {});
      const unnamed = { organizationId: null, actorId: null, actorName: null, targetId: null, targetName: null };
      const expected = { ...unnamed, action: 'sign-in-failed', actorKind: 'service-account' };
      return events.filter((event) => isDeepStrictEqual(event, { ...event, ...expected })).length;
    };
    const before = await countEvents();
    await requestToken(service, { id: unknown, clientSecret: account.clientSecret });
    expect(await countEvents()).toBe(before + 1);
  });

  it('should run the same statements as a known id, so that the response time does not reveal it', async () => {
    const work: string[][] = [];
    const { clientSecret } = await createServiceAccount(service, owner);
    for (const id of [account.id, unknown, 'not-a-uuid', account.id]) {
      const request = async () => {
        expect((await requestToken(service, { id, clientSecret })).status).toBe(401);
      };
      work.push(await statementsOf(service, request));
    }
    const [first = []] = work;
    expect(first.length).toBeGreaterThan(4);
    expect(work).toEqual(work.map(() => first));
  });
});

describe('An access token of a service account', () => {
  it('should be rejected on every replica as soon as the account is deleted', async () => {
    const token = await tokenOf(service, account);
    expect((await get('/api-keys', token, replica)).status).toBe(200);
    await call(service.url, `DELETE /service-accounts/${account.id}`, { token: owner.token });
    for (const at of [replica, service]) {
      const response = await get('/api-keys', token, at);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(errorOf(await requestToken(at, account))).toEqual([401, 'invalid_client']);
    }
  });

  it('should follow changes of the role on every replica immediately', async () => {
    const token = await tokenOf(service, account);
    const body = { permissions: ['get-roles'] };
    await call(service.url, `PATCH /roles/${account.roleId}`, { token: owner.token, body });
    expect((await get('/roles', token, replica)).status).toBe(200);
    const response = await get('/api-keys', token, replica);
    expect(response.body).toMatchObject({ code: 'missing-permission' });
  });

  it('should reach only the organization of the account', async () => {
    const stranger = await createMember(service);
    await call(service.url, 'POST /api-keys', { token: stranger.token, body: { name: 'Foreign' } });
    const token = await tokenOf(service, account);
    expect((await get('/api-keys', token)).body).toMatchObject({ total: 0 });
    const { body } = await get('/organizations/current', token);
    expect(body).toMatchObject({ id: owner.organizationId });
  });

  it('should create, and be recorded as the actor', async () => {
    const token = await tokenOf(service, account);
    const created = await call(service.url, 'POST /api-keys', { token, body: { name: 'A key' } });
    expect(created.status).toBe(201);
    const invitation = { email: 'ada@example.com', roleId: account.roleId };
    const invited = await call(service.url, 'POST /members', { token, body: invitation });
    expect(invited.status).toBe(201);
    const { body } = await get(`/audit-events?actorId=${account.id}&limit=2`, owner.token);
    const actor = { kind: 'service-account', id: account.id, email: null, name: account.name };
    expect(body).toMatchObject({
      auditEvents: [
        { action: 'invitation.create', actor },
        { action: 'api-key.create', actor },
      ],
    });
  });

  it('should not grant permissions that its role lacks', async () => {
    const limited = await createServiceAccount(service, owner, [
      'create-roles',
      'create-service-accounts',
      'get-usage',
    ]);
    const token = await tokenOf(service, limited);
    const role = (permissions: string[]) =>
      call(service.url, 'POST /roles', { token, body: { name: 'Reader', permissions } });
    expect((await role(['get-members'])).status).toBe(403);
    expect((await role(['get-usage'])).status).toBe(201);
    const body = { name: 'Another', roleId: account.roleId };
    expect((await call(service.url, 'POST /service-accounts', { token, body })).status).toBe(403);
  });

  const userRoutes: [route: string, body: unknown][] = [
    ['GET /auth/me', undefined],
    ['PATCH /auth/me', { name: 'Ada' }],
    ['POST /auth/change-password', { currentPassword: 'x', newPassword: 'correct horse battery' }],
    ['POST /auth/switch-organization', { organizationId: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f' }],
    ['POST /auth/sign-out', undefined],
    ['POST /auth/preview-invitation', { token: 'x' }],
    ['GET /auth/sessions', undefined],
    ['DELETE /auth/sessions', undefined],
    ['DELETE /auth/sessions/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', undefined],
    ['GET /organizations', undefined],
    ['POST /organizations', { name: 'Research' }],
  ];

  it.each(userRoutes)('should get a clear 403 from %s, which is for users', async (route, body) => {
    const response = await call(service.url, route, { token: await tokenOf(service, account), body });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'service-account-not-allowed' });
  });

  it.each(['/permissions', '/models', '/organizations/current'])('should be accepted by GET %s', async (path) => {
    expect((await get(path, await tokenOf(service, account))).status).toBe(200);
  });

  it('should not be accepted by AI routes', async () => {
    expect((await get('/v1/models', await tokenOf(service, account))).status).toBe(401);
  });
});
