import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import type { ApiKeyDto } from '../../src/api-keys/dto/api-key.dto.js';
import type { Permission } from '../../src/access/permissions.js';
import type { AuditEventListDto } from '../../src/audit/dto/audit-event.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { readAuditEvents, withoutAudit } from '../factories/audit-events.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member, 'Search indexer');
});

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const show = (id: string, token = member.token) => call(service.url, `GET /api-keys/${id}`, { token });
const rename = (id: string, body: unknown, token = member.token) =>
  call(service.url, `PATCH /api-keys/${id}`, { token, body });
const colleague = (permissions: Permission[]) =>
  createMember(service, { organizationId: member.organizationId, permissions });
const hintOf = ({ key }: CreatedKey) => key.slice(0, 8);

/** Ids that match no key of the organization, each for a different reason. */
async function idsOfNothing(): Promise<string[]> {
  const foreign = await createApiKey(service, await createMember(service));
  const deleted = await createApiKey(service, member);
  await call(service.url, `DELETE /api-keys/${deleted.id}`, { token: member.token });
  return ['01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', foreign.id, deleted.id, 'no-uuid', '%00', 'x'.repeat(5000)];
}

describe('GET /api-keys/{id}', () => {
  it('should return the key with its creator, and without a last use if it is unused', async () => {
    const response = await show(apiKey.id);
    expect(response.status).toBe(200);
    expect(response.body).not.toHaveProperty('lastUsedAt');
    expect(response.body).toMatchObject({
      id: apiKey.id,
      name: 'Search indexer',
      hint: hintOf(apiKey),
      createdAt: timestamp,
      updatedAt: timestamp,
      createdBy: { id: member.userId, name: 'A member', email: `${member.userId}@example.com` },
      rotatedAt: null,
      previousSecretHint: null,
      enabled: true,
    });
  });

  it("should return the time of last use and the client's IP address", async () => {
    const { status } = await call(service.url, 'POST /v1/embeddings', {
      token: apiKey.key,
      body: { model: 'universal-sentence-encoder-lite', input: 'Hello' },
    });
    expect(status).toBe(200);
    expect((await show(apiKey.id)).body).toMatchObject({ lastUsedAt: timestamp, lastUsedAddress: '127.0.0.1' });
  });

  it('should return the key without a creator once the account is deleted', async () => {
    await service.query('delete from users where id = $1', [member.userId]);
    const { token } = await colleague(['get-api-keys']);
    const response = await show(apiKey.id, token);
    expect(response.status).toBe(200);
    expect((response.body as ApiKeyDetailsDto).createdBy).toBeNull();
  });

  it('should return the same 404 for unknown, foreign, deleted and malformed ids', async () => {
    const responses = await Promise.all((await idsOfNothing()).map((id) => show(id)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(responses.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
  });

  it('should return 400 for a malformed path', async () => {
    expect((await show('%zz')).status).toBe(400);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, `GET /api-keys/${apiKey.id}`)).status).toBe(401);
    const { token } = await colleague(['create-api-keys', 'update-api-keys', 'delete-api-keys']);
    const response = await show(apiKey.id, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('get-api-keys') as string });
  });
});

describe('PATCH /api-keys/{id}', () => {
  it('should rename the key, update updatedAt and keep the secret', async () => {
    // Old enough for the change to be at least a millisecond later.
    await service.query(`update api_keys set updated_at = '2026-01-01T00:00:00Z' where id = $1`, [apiKey.id]);
    const before = (await show(apiKey.id)).body as ApiKeyDto;
    const response = await rename(apiKey.id, { name: '  Invoices ' });
    expect(response.status).toBe(200);
    const { updatedAt, ...key } = response.body as ApiKeyDto;
    expect(key).toStrictEqual({
      id: apiKey.id,
      name: 'Invoices',
      hint: hintOf(apiKey),
      createdAt: before.createdAt,
    });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await call(service.url, 'GET /v1/models', { token: apiKey.key })).status).toBe(200);
  });

  it('should make the key searchable and sortable by its new name', async () => {
    await createApiKey(service, member, 'middle');
    await rename(apiKey.id, { name: 'ÄLTESTE' });
    const list = async (query: string) => {
      const response = await call(service.url, `GET /api-keys?${query}`, { token: member.token });
      return (response.body as ApiKeyListDto).apiKeys.map(({ name }) => name);
    };
    expect(await list('name=%C3%A4lt')).toEqual(['ÄLTESTE']);
    expect(await list('name=search')).toEqual([]);
    expect(await list('orderBy=name&order=ASC')).toEqual(['middle', 'ÄLTESTE']);
  });

  it.each([
    ['1 character', { name: 'a' }, 'name'],
    ['101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a control character', { name: 'a\u0000b' }, 'name'],
    ['a number', { name: 42 }, 'name'],
    ['null', { name: null }, 'name'],
    ['a field that cannot be changed', { name: 'Invoices', hint: 'kc_4fT9q' }, 'hint'],
  ])('should return 400 and change nothing if the body is or has %s', async (_title, body, field) => {
    const response = await rename(apiKey.id, body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation-failed', errors: [{ field }] });
    expect((await show(apiKey.id)).body).toMatchObject({ name: 'Search indexer' });
  });

  it('should return the same 404 for unknown, foreign, deleted and malformed ids', async () => {
    const responses = await Promise.all((await idsOfNothing()).map((id) => rename(id, { name: 'Taken over' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(responses.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
    expect(await service.query(`select id from api_keys where name = 'Taken over'`)).toEqual([]);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    const body = { name: 'Invoices' };
    expect((await call(service.url, `PATCH /api-keys/${apiKey.id}`, { body })).status).toBe(401);
    const { token } = await colleague(['create-api-keys', 'get-api-keys', 'delete-api-keys']);
    const response = await rename(apiKey.id, body, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('update-api-keys') as string });
    expect((await show(apiKey.id)).body).toMatchObject({ name: 'Search indexer' });
  });
});

describe('The audit log', () => {
  it('should contain each change of a key once, with actor and origin, and no secret', async () => {
    const headers = { 'user-agent': 'some browser' };
    const send = (route: string, body?: unknown) => call(service.url, route, { token: member.token, headers, body });
    const created = await send('POST /api-keys', { name: 'First name', expiresAt: '2999-01-01T00:00:00Z' });
    const path = created.headers.get('location') ?? '';
    const id = path.split('/').at(-1) ?? '';
    await send(`PATCH ${path}`, { name: 'Second name' });
    const rotated = await send(`POST ${path}/rotate`, { gracePeriodSeconds: 60 });
    await send(`DELETE ${path}`);

    const secrets = [created, rotated].map(({ body }) => (body as { key: string }).key);
    const [firstHint, secondHint] = secrets.map((secret) => secret.slice(0, 8));
    const events = await readAuditEvents(service, { targetId: id });
    const common = {
      organizationId: member.organizationId,
      actorId: member.userId,
      actorKind: 'user',
      actorEmail: `${member.userId}@example.com`,
      actorName: null,
      address: '127.0.0.1',
      userAgent: 'some browser',
      targetKind: 'api-key',
      targetId: id,
    };
    const first = { ...common, targetName: 'First name', targetHint: firstHint };
    const second = { ...common, targetName: 'Second name', targetHint: firstHint };
    const last = { ...common, targetName: 'Second name', targetHint: secondHint };
    expect(events).toEqual([
      {
        ...first,
        action: 'api-key.create',
        before: null,
        after: { name: 'First name', expiresAt: '2999-01-01T00:00:00.000Z' },
      },
      { ...second, action: 'api-key.update', before: { name: 'First name' }, after: { name: 'Second name' } },
      {
        ...last,
        action: 'api-key.rotate',
        before: { hint: firstHint },
        after: { hint: secondHint, gracePeriodSeconds: 60 },
      },
      { ...last, action: 'api-key.delete', before: null, after: null },
    ]);
    for (const secret of secrets) expect(JSON.stringify(events)).not.toContain(secret.slice(8));
  });

  it('should show what became of a leaked key, by its first characters', async () => {
    const path = `/api-keys/${apiKey.id}`;
    await call(service.url, `POST ${path}/rotate`, { token: member.token, body: { gracePeriodSeconds: 0 } });
    await call(service.url, `DELETE ${path}`, { token: member.token });
    const find = async (token: string) => {
      const { body } = await call(service.url, `GET /audit-events?targetHint=${hintOf(apiKey)}`, { token });
      return (body as AuditEventListDto).auditEvents.map(({ action }) => action);
    };
    expect(await find(member.token)).toEqual(['api-key.delete', 'api-key.rotate', 'api-key.create']);
    expect(await find((await createMember(service)).token)).toEqual([]);
  });

  it('should contain no rejected changes', async () => {
    const foreign = await createApiKey(service, await createMember(service));
    const [...before] = await readAuditEvents(service, { targetId: foreign.id });
    await rename(foreign.id, { name: 'Taken over' });
    await call(service.url, `POST /api-keys/${foreign.id}/rotate`, {
      token: member.token,
      body: { gracePeriodSeconds: 0 },
    });
    await call(service.url, `DELETE /api-keys/${foreign.id}`, { token: member.token });
    expect(await readAuditEvents(service, { targetId: foreign.id })).toEqual(before);
  });

  it('should block changes it cannot record', async () => {
    const path = `/api-keys/${apiKey.id}`;
    const statuses = await withoutAudit(service, async () => {
      const send = async (route: string, body?: unknown) =>
        (await call(service.url, route, { token: member.token, body })).status;
      return [
        await send('POST /api-keys', { name: 'Another key' }),
        await send(`PATCH ${path}`, { name: 'Another name' }),
        await send(`POST ${path}/rotate`, { gracePeriodSeconds: 0 }),
        await send(`DELETE ${path}`),
      ];
    });
    expect(statuses).toEqual([500, 500, 500, 500]);
    const rows = await service.query('select id, name, hint from api_keys where organization_id = $1', [
      member.organizationId,
    ]);
    expect(rows).toEqual([{ id: apiKey.id, name: 'Search indexer', hint: hintOf(apiKey) }]);
    expect((await call(service.url, 'GET /v1/models', { token: apiKey.key })).status).toBe(200);
    expect(await service.query('select id from deleted_api_keys where id = $1', [apiKey.id])).toEqual([]);
  });
});
