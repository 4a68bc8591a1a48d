import { DataSource } from 'typeorm';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const create = (name: unknown, token = member.token) => call(service.url, 'POST /api-keys', { token, body: { name } });
const list = (query = '', token = member.token) => call(service.url, `GET /api-keys${query}`, { token });
const remove = (id: string, token = member.token) => call(service.url, `DELETE /api-keys/${id}`, { token });
const keysOf = (response: CallResponse) => (response.body as ApiKeyListDto).apiKeys;
const namesOf = (response: CallResponse) => keysOf(response).map(({ name }) => name);

describe('POST /api-keys', () => {
  it('should return 201 with exactly the key, its Location and no-store', async () => {
    const response = await create('Search indexer');
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ key: expect.stringMatching(/^kc_[0-9A-Za-z]{46}$/) as string });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [listed] = keysOf(await list());
    expect(response.headers.get('location')).toBe(`/api-keys/${listed?.id}`);
  });

  it('should store the hash and the hint but not the key', async () => {
    const { key } = (await create('Search indexer')).body as { key: string };
    const [row] = await service.app
      .get(DataSource)
      .query<{ row: string; hint: string }[]>(
        'select api_keys::text as row, hint from api_keys where organization_id = $1',
        [member.organizationId],
      );
    expect(row?.hint).toBe(key.slice(0, 8));
    expect(row?.row).not.toContain(key);
    expect(row?.row).not.toContain(Buffer.from(key).toString('hex'));
  });

  it.each([
    ['2 characters', 'ab'],
    ['100 characters', 'x'.repeat(100)],
    ['2 emoji', '🔑🗝️'.slice(0, 4)],
    ['100 emoji', '🔑'.repeat(100)],
    ['100 code points of combining marks', 'e\u0301'.repeat(50)],
    ['2 characters between spaces', '  ab\u00a0'],
  ])('should accept a name of %s', async (_title, name) => {
    expect((await create(name)).status).toBe(201);
    expect(namesOf(await list())).toEqual([name.trim()]);
  });

  it.each([
    ['1 character', 'a'],
    ['1 emoji, which is 2 UTF-16 units', '🔑'],
    ['1 character between spaces', '  a  '],
    ['101 characters', 'x'.repeat(101)],
    ['101 emoji', '🔑'.repeat(101)],
    ['101 code points of combining marks', 'e\u0301'.repeat(50) + 'e'],
    ['no characters', ''],
    ['spaces only', '     '],
    ['a control character', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['half a surrogate pair', 'ab\ud83d'],
    ['a number', 42],
    ['null', null],
    ['an array', ['ab']],
    ['an object', { toString: 'ab' }],
    ['nothing', undefined],
  ])('should return 400 and create nothing for a name of %s', async (_title, name) => {
    const response = await create(name);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'name', message: expect.stringContaining('2 to 100 characters') as string }],
    });
    expect((await list()).body).toMatchObject({ total: 0 });
  });

  it.each([
    ['an unknown field', { name: 'A key', expires: 1 }, 'expires'],
    ['a field named like an Object method', { name: 'A key', toString: 1 }, 'toString'],
  ])('should return 400 naming %s', async (_title, body, field) => {
    const response = await call(service.url, 'POST /api-keys', { token: member.token, body });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it.each([
    ['an array', '[]'],
    ['an array of bodies', '[{"name":"A key"}]'],
    ['null', 'null'],
    ['text', '"name"'],
    ['a number', '1'],
    ['nothing', ''],
    ['broken JSON', '{"name":'],
    ['deeply nested', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['deeply nested in a field', `{"name":${'['.repeat(50_000) + ']'.repeat(50_000)}}`],
    ['a poisoned prototype', '{"name":"A key","__proto__":{"a":1}}'],
  ])('should return 400 for a body that is %s', async (_title, rawBody) => {
    const headers = { 'content-type': 'application/json' };
    const response = await call(service.url, 'POST /api-keys', { token: member.token, rawBody, headers });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('should return 415 for a body that is not JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await call(service.url, 'POST /api-keys', { token: member.token, rawBody: 'name=ab', headers });
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ code: 'unsupported-media-type' });
  });

  it('should return 413 for a body over 100 KB', async () => {
    const response = await create('x'.repeat(101 * 1024));
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ code: 'payload-too-large' });
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'POST /api-keys', { body: { name: 'A key' } })).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys', 'delete-api-keys'] });
    const response = await create('A key', token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      code: 'missing-permission',
      detail: expect.stringContaining('create-api-keys') as string,
    });
  });
});

describe('DELETE /api-keys/{id}', () => {
  it('should return a message and delete the key', async () => {
    const { id } = await createApiKey(service, member);
    const response = await remove(id);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: expect.any(String) as string });
    expect((await list()).body).toMatchObject({ total: 0 });
  });

  it('should return the same 404 for unknown, malformed, foreign and deleted ids', async () => {
    const other = await createMember(service);
    const theirs = await createApiKey(service, other);
    const deleted = await createApiKey(service, member);
    await remove(deleted.id);
    const malformed = ['no-uuid', '%00', `${theirs.id}'--`, 'x'.repeat(101), 'x'.repeat(5000)];
    const ids = ['01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', theirs.id, deleted.id, ...malformed];
    const responses = await Promise.all(ids.map((id) => remove(id)));
    expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 404));
    expect(new Set(responses.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
    expect((await list('', other.token)).body).toMatchObject({ total: 1 });
  });

  it('should accept a JSON content type without a body, as many clients send it', async () => {
    const { id } = await createApiKey(service, member);
    const headers = { 'content-type': 'application/json' };
    const response = await call(service.url, `DELETE /api-keys/${id}`, { token: member.token, headers });
    expect(response.status).toBe(200);
  });

  it('should succeed for exactly one of two concurrent deletions', async () => {
    const { id } = await createApiKey(service, member);
    const responses = await Promise.all([remove(id), remove(id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    const { id } = await createApiKey(service, member);
    expect((await call(service.url, `DELETE /api-keys/${id}`)).status).toBe(401);
    const { token } = await createMember(service, {
      organizationId: member.organizationId,
      permissions: ['get-api-keys', 'create-api-keys'],
    });
    expect((await remove(id, token)).status).toBe(403);
    expect((await list()).body).toMatchObject({ total: 1 });
  });
});
