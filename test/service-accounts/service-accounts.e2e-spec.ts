import { allPermissions } from '../../src/access/permissions.js';
import type {
  ClientCredentialsDto,
  ServiceAccountDto,
  ServiceAccountListDto,
} from '../../src/service-accounts/dto/service-account.dto.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, requestToken, type TestServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { call } from '../setup/call.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let owner: Member;
let account: TestServiceAccount;

beforeEach(async () => {
  owner = await createMember(service);
  account = await createServiceAccount(service, owner, ['get-api-keys', 'create-api-keys']);
});

const send = (route: string, body?: unknown, token = owner.token) => call(service.url, route, { token, body });
const create = (body: unknown, token?: string) => send('POST /service-accounts', body, token);
const update = (id: string, body: unknown, token?: string) => send(`PATCH /service-accounts/${id}`, body, token);
const rotate = (id: string, gracePeriodSeconds: unknown, token?: string) =>
  send(`POST /service-accounts/${id}/rotate`, { gracePeriodSeconds }, token);
const revokePrevious = (id: string, token?: string) =>
  send(`DELETE /service-accounts/${id}/previous-secret`, undefined, token);
const remove = (id: string, token?: string) => send(`DELETE /service-accounts/${id}`, undefined, token);
const get = (id: string, token?: string) => send(`GET /service-accounts/${id}`, undefined, token);
const list = (query = '', token?: string) => send(`GET /service-accounts${query}`, undefined, token);
const colleague = (...permissions: (typeof allPermissions)[number][]) =>
  createMember(service, { organizationId: owner.organizationId, permissions });
const signIn = async (id: string, clientSecret: string) => (await requestToken(service, { id, clientSecret })).status;

describe('POST /service-accounts', () => {
  it('should return credentials that get an access token, with Location and no-store', async () => {
    const response = await create({ name: ' Deploy ', roleId: owner.roleId });
    expect(response.status).toBe(201);
    const { id, clientId, clientSecret } = response.body as ClientCredentialsDto;
    expect(response.body).toStrictEqual({ id, clientId: id, clientSecret });
    expect(clientId).toBe(id);
    expect(response.headers.get('location')).toBe(`/service-accounts/${id}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await signIn(id, clientSecret)).toBe(200);
    expect((await get(id)).body).toMatchObject({ name: 'Deploy', hint: clientSecret.slice(0, 9) });
  });

  it('should return 403 naming the permissions of the role that the creator lacks', async () => {
    const { token } = await colleague('create-service-accounts', 'get-api-keys');
    const response = await create({ name: 'Deploy', roleId: account.roleId }, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('lacks create-api-keys.') as string });
  });

  it('should return 404 for unknown and foreign roles', async () => {
    const { roleId } = await createMember(service);
    for (const id of [...unknownIds, roleId]) {
      expect((await create({ name: 'Deploy', roleId: id })).status).toBe(404);
    }
  });

  it.each([
    ['name', { name: 'a', roleId: 'x' }],
    ['name', { roleId: 'x' }],
    ['roleId', { name: 'Deploy' }],
    ['roleId', { name: 'Deploy', roleId: 1 }],
    ['clientSecret', { name: 'Deploy', roleId: 'x', clientSecret: 'kcs_' }],
  ])('should return 400 naming %s for %j', async (field, body) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });
});

describe('GET /service-accounts', () => {
  it('should list only the accounts of the organization, newest first, in pages', async () => {
    await createServiceAccount(service, await createMember(service));
    const newer = await createServiceAccount(service, owner);
    const page = async (query: string) => (await list(query)).body as ServiceAccountListDto;
    expect(await page('')).toMatchObject({
      total: 2,
      page: 1,
      perPage: 10,
      serviceAccounts: [{ id: newer.id }, { id: account.id }],
    });
    expect((await page('?perPage=1&page=2')).serviceAccounts).toMatchObject([{ id: account.id }]);
    expect((await page('?page=3')).serviceAccounts).toEqual([]);
    expect((await list('?perPage=0')).status).toBe(400);
  });

  it('should find accounts of the organization by a part of their name, in any case', async () => {
    await createServiceAccount(service, await createMember(service));
    await create({ name: 'BÄCKUP', roleId: owner.roleId });
    const search = async (text: string) => (await list(`?search=${encodeURIComponent(text)}`)).body;
    expect(await search('deploy')).toMatchObject({ total: 1, serviceAccounts: [{ id: account.id }] });
    expect(await search('bäck')).toMatchObject({ total: 1, serviceAccounts: [{ name: 'BÄCKUP' }] });
    expect(await search('%')).toMatchObject({ total: 0, serviceAccounts: [] });
    expect((await list(`?search=${'x'.repeat(101)}`)).status).toBe(400);
  });

  it('should return when an account last got a token', async () => {
    expect((await get(account.id)).body).not.toHaveProperty('lastUsedAt');
    await tokenOf(service, account);
    expect((await get(account.id)).body).toHaveProperty('lastUsedAt');
  });
});

describe('PATCH /service-accounts/{id}', () => {
  it('should change name and role, for tokens issued before, and record an event', async () => {
    const token = await tokenOf(service, account);
    const { roleId } = await colleague('get-roles');
    const response = await update(account.id, { name: 'Backup', roleId });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: account.id, name: 'Backup', role: { id: roleId } });
    expect((await send('GET /roles', undefined, token)).status).toBe(200);
    expect((await send('GET /api-keys', undefined, token)).status).toBe(403);
    expect((await readAuditEvents(service, { targetId: account.id })).at(-1)).toMatchObject({
      action: 'service-account.update',
      targetName: 'Backup',
      before: { name: account.name },
      after: { name: 'Backup' },
    });
  });

  it('should return 403 for a role with permissions that the caller lacks', async () => {
    const { token } = await colleague('update-service-accounts');
    expect((await update(account.id, { roleId: owner.roleId }, token)).status).toBe(403);
    expect((await update(account.id, { name: 'Backup' }, token)).status).toBe(200);
  });

  it('should return 400 for invalid fields, and 404 for unknown and foreign roles', async () => {
    for (const body of [{ name: '' }, { roleId: null }, { hint: 'x' }]) {
      expect((await update(account.id, body)).status).toBe(400);
    }
    const { roleId } = await createMember(service);
    expect((await update(account.id, { roleId })).status).toBe(404);
  });
});

describe('POST /service-accounts/{id}/rotate', () => {
  it('should accept both secrets and their tokens during the grace period', async () => {
    const token = await tokenOf(service, account);
    const response = await rotate(account.id, 600);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { clientSecret } = response.body as ClientCredentialsDto;
    expect(await signIn(account.id, account.clientSecret)).toBe(200);
    expect(await signIn(account.id, clientSecret)).toBe(200);
    expect((await send('GET /api-keys', undefined, token)).status).toBe(200);
    expect(((await get(account.id)).body as ServiceAccountDto).previousSecretExpiresAt).toBeDefined();
  });

  it('should revoke the previous secret and its tokens when the grace period ends, is ended or is 0', async () => {
    const ends: [gracePeriodSeconds: number, end: () => Promise<unknown>][] = [
      [600, () => service.query(`update service_accounts set previous_secret_expires_at = clock_timestamp()`)],
      [600, () => revokePrevious(account.id)],
      [0, () => Promise.resolve()],
    ];
    let { clientSecret } = account;
    for (const [gracePeriodSeconds, end] of ends) {
      const token = await tokenOf(service, { ...account, clientSecret });
      const next = (await rotate(account.id, gracePeriodSeconds)).body as ClientCredentialsDto;
      await end();
      expect(await signIn(account.id, clientSecret)).toBe(401);
      expect((await send('GET /api-keys', undefined, token)).status).toBe(401);
      expect((await get(account.id)).body).not.toHaveProperty('previousSecretExpiresAt');
      ({ clientSecret } = next);
      expect(await signIn(account.id, clientSecret)).toBe(200);
    }
  });

  it('should revoke secrets and tokens of earlier rotations', async () => {
    const token = await tokenOf(service, account);
    await rotate(account.id, 600);
    await rotate(account.id, 600);
    expect(await signIn(account.id, account.clientSecret)).toBe(401);
    expect((await send('GET /api-keys', undefined, token)).status).toBe(401);
  });

  it('should return 403 if the account has a permission that the caller lacks', async () => {
    const { token } = await colleague('update-service-accounts', 'get-api-keys');
    const response = await rotate(account.id, 0, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('lacks create-api-keys.') as string });
    expect(await signIn(account.id, account.clientSecret)).toBe(200);
  });

  it.each([undefined, -1, 604_801, '60'])('should return 400 for the grace period %j', async (gracePeriodSeconds) => {
    expect((await rotate(account.id, gracePeriodSeconds)).status).toBe(400);
  });
});

describe('DELETE /service-accounts/{id}', () => {
  it('should keep the API keys that the account created', async () => {
    const token = await tokenOf(service, account);
    const created = await send('POST /api-keys', { name: 'From the pipeline' }, token);
    const route = `GET ${created.headers.get('location') ?? ''}`;
    const creator = { createdByServiceAccount: { id: account.id, name: account.name } };
    expect((await send(route)).body).toMatchObject({ createdBy: null, ...creator });
    expect((await remove(account.id)).status).toBe(200);
    expect((await send(route)).body).not.toHaveProperty('createdByServiceAccount');
    const { key } = created.body as { key: string };
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
  });

  it('should let a service account delete itself, with its name in the event', async () => {
    const self = await createServiceAccount(service, owner);
    expect((await remove(self.id, await tokenOf(service, self))).status).toBe(200);
    expect(await readAuditEvents(service, { targetId: self.id })).toMatchObject([
      { action: 'sign-in' },
      { action: 'service-account.delete', actorKind: 'service-account', actorId: self.id, actorName: self.name },
    ]);
  });
});

describe('DELETE /service-accounts/{id}/previous-secret', () => {
  it('should return 404 if no previous secret is accepted', async () => {
    expect((await revokePrevious(account.id)).status).toBe(404);
  });
});

describe('A route of service accounts', () => {
  const routes: [route: string, permission: (typeof allPermissions)[number], body: unknown][] = [
    ['POST /service-accounts', 'create-service-accounts', { name: 'Deploy', roleId: 'x' }],
    ['GET /service-accounts', 'get-service-accounts', undefined],
    ['GET /service-accounts/:id', 'get-service-accounts', undefined],
    ['PATCH /service-accounts/:id', 'update-service-accounts', { name: 'Deploy' }],
    ['POST /service-accounts/:id/rotate', 'update-service-accounts', { gracePeriodSeconds: 0 }],
    ['DELETE /service-accounts/:id/previous-secret', 'update-service-accounts', undefined],
    ['DELETE /service-accounts/:id', 'delete-service-accounts', undefined],
  ];

  it.each(routes)('should return 401 from %s without a token and 403 without %s', async (route, permission, body) => {
    const path = route.replace(':id', account.id);
    expect((await call(service.url, path, { body })).status).toBe(401);
    const { token } = await colleague(...allPermissions.filter((other) => other !== permission));
    const response = await send(path, body, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining(permission) as string });
  });

  it.each(routes.filter(([route]) => route.includes(':id')))(
    'should return the same 404 from %s for unknown, malformed and foreign ids',
    async (route, _permission, body) => {
      const stranger = await createMember(service);
      const attempts = [
        ...unknownIds.map((id) => send(route.replace(':id', id), body)),
        send(route.replace(':id', account.id), body, stranger.token),
      ];
      const responses = await Promise.all(attempts);
      expect(responses.map(({ status }) => status)).toEqual(attempts.map(() => 404));
      expect(new Set(responses.map((response) => (response.body as { detail: string }).detail)).size).toBe(1);
      expect(await signIn(account.id, account.clientSecret)).toBe(200);
    },
  );
});

describe('A role of a service account', () => {
  it('should not be deletable, and name the account', async () => {
    const response = await send(`DELETE /roles/${account.roleId}`);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      detail: 'The role is in use by 1 service account (Deploy pipeline). Assign another role first.',
    });
  });
});

describe('A plaintext client secret', () => {
  it('should appear only in the response to its creation or rotation', async () => {
    const created = (await create({ name: 'Deploy', roleId: owner.roleId })).body as ClientCredentialsDto;
    const rotated = (await rotate(created.id, 600)).body as ClientCredentialsDto;
    const responses: string[] = [];
    for (const { clientSecret } of [created, rotated]) {
      const wrong = { id: account.id, clientSecret };
      for (const credentials of [{ id: created.id, clientSecret }, wrong]) {
        const { text, headers } = await requestToken(service, credentials);
        responses.push(text, JSON.stringify([...headers]));
      }
      responses.push((await send('GET /api-keys', undefined, clientSecret)).text);
    }
    await service.query('alter table service_accounts rename to service_accounts_away');
    responses.push((await requestToken(service, { id: created.id, clientSecret: rotated.clientSecret })).text);
    responses.push((await rotate(created.id, 600)).text);
    await service.query('alter table service_accounts_away rename to service_accounts');
    responses.push((await list()).text, (await get(created.id)).text, (await update(created.id, { name: 'B2' })).text);
    responses.push((await revokePrevious(created.id)).text, (await remove(created.id)).text);
    const everything = [await dumpDatabase(service), ...service.logLines, ...responses].join('\n');
    expect(everything).toContain('/auth/token');
    expect(everything).toContain('"level":50');
    for (const { clientSecret } of [created, rotated]) expect(everything).not.toContain(clientSecret.slice(9));
  });
});
