import { DataSource } from 'typeorm';
import { ApiKey } from '../src/api-keys/api-key.entity.js';
import type { ApiKeyListDto } from '../src/api-keys/dto/api-key.dto.js';
import { type CreatedKey, createApiKey } from './factories/api-keys.js';
import { createMember, type Member } from './factories/organizations.js';
import { type CallResponse, call } from './setup/call.js';
import { useTestApp } from './setup/use-test-app.js';

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

describe('GET /api-keys', () => {
  it('should return page 1 with 10 items, newest first, with exactly the documented fields', async () => {
    for (let number = 1; number <= 11; number++) await createApiKey(service, member, `Key ${number}`);
    const response = await list();
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ total: 11, page: 1, perPage: 10 });
    expect(Object.keys(response.body as object).sort()).toEqual(['apiKeys', 'page', 'perPage', 'total']);
    expect(namesOf(response)[0]).toBe('Key 11');
    expect(keysOf(response)).toHaveLength(10);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    expect(keysOf(response)[0]).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
      name: 'Key 11',
      hint: expect.stringMatching(/^kc_[0-9A-Za-z]{5}$/) as string,
      createdAt: timestamp,
      updatedAt: timestamp,
    });
  });

  it('should return an empty page with the total beyond the last page', async () => {
    await createApiKey(service, member);
    expect((await list('?page=2')).body).toEqual({ total: 1, page: 2, perPage: 10, apiKeys: [] });
    expect((await list('?page=2147483647&perPage=100')).body).toMatchObject({ total: 1, apiKeys: [] });
  });

  it.each(['createdAt', 'name', 'lastUsedAt', 'expiresAt'])(
    'should not repeat or skip keys with equal %s across pages',
    async (orderBy) => {
      const keys: CreatedKey[] = [];
      for (let number = 0; number < 9; number++) keys.push(await createApiKey(service, member, 'Same name'));
      await service.app
        .get(DataSource)
        .manager.update(
          ApiKey,
          { organizationId: member.organizationId },
          { createdAt: new Date('2026-01-01T00:00:00Z') },
        );
      for (const order of ['ASC', 'DESC']) {
        const seen: string[] = [];
        for (let page = 1; page <= 5; page++) {
          const response = await list(`?orderBy=${orderBy}&order=${order}&perPage=2&page=${page}`);
          seen.push(...keysOf(response).map(({ id }) => id));
        }
        const ids = keys.map(({ id }) => id).sort();
        expect(seen).toEqual(order === 'ASC' ? ids : ids.reverse());
      }
    },
  );

  it('should sort by name case-insensitively', async () => {
    for (const name of ['banana', 'Apple', 'cherry', 'Banana 2', 'Über', 'über 2']) {
      await createApiKey(service, member, name);
    }
    expect(namesOf(await list('?orderBy=name&order=ASC'))).toEqual([
      'Apple',
      'banana',
      'Banana 2',
      'cherry',
      'Über',
      'über 2',
    ]);
  });

  it('should sort by last use and expiry, with unused keys last used first and keys without expiry expiring last', async () => {
    for (const [name, lastUsedAt, expiresAt] of [
      ['a', null, '2998-01-01'],
      ['b', '2026-01-01', null],
      ['c', '2026-01-02', '2999-01-01'],
    ]) {
      const { id } = await createApiKey(service, member, `Key ${name}`);
      await service.query('update api_keys set last_used_at = $2, expires_at = $3 where id = $1', [
        id,
        lastUsedAt,
        expiresAt,
      ]);
    }
    const namesBy = async (query: string) =>
      namesOf(await list(`?${query}`))
        .join(' ')
        .replaceAll('Key ', '');
    expect(await namesBy('orderBy=lastUsedAt&order=DESC')).toBe('c b a');
    expect(await namesBy('orderBy=lastUsedAt&order=ASC')).toBe('a b c');
    expect(await namesBy('orderBy=expiresAt&order=ASC')).toBe('a c b');
    expect(await namesBy('orderBy=expiresAt&order=DESC')).toBe('b c a');
  });

  it('should sort by creation time in both directions', async () => {
    for (const name of ['first', 'second', 'third']) await createApiKey(service, member, name);
    expect(namesOf(await list('?order=ASC'))).toEqual(['first', 'second', 'third']);
    expect(namesOf(await list('?order=DESC'))).toEqual(['third', 'second', 'first']);
  });

  it.each([
    ['any case', 'SEARCH', ['Search indexer', 'research']],
    ['a percent sign as itself', '%', ['100% certain']],
    ['an underscore as itself', '_', ['snake_case']],
    ['a backslash as itself', '\\', ['back\\slash']],
    ['a quote as itself', "'", ["o'brien"]],
    ['non-ASCII letters, ignoring case', 'ÜBER', ['über alles']],
    ['composed as well as combining letters', 'u\u0308ber', ['über alles']],
    ['nothing when nothing matches', 'zzz', []],
  ])('should filter by name: %s', async (_title, filter, expected) => {
    const names = ['Search indexer', 'research', '100% certain', 'snake_case', 'back\\slash', "o'brien", 'über alles'];
    for (const name of names) await createApiKey(service, member, name);
    const response = await list(`?order=ASC&name=${encodeURIComponent(filter)}`);
    expect(namesOf(response)).toEqual(expected);
    expect(response.body).toMatchObject({ total: expected.length });
  });

  it.each([
    ['page', '?page=0'],
    ['page', '?page=-1'],
    ['page', '?page=1.5'],
    ['page', '?page=1e3'],
    ['page', '?page=%2B5'],
    ['page', '?page=NaN'],
    ['page', '?page='],
    ['page', '?page=%201'],
    ['page', '?page=1&page=2'],
    ['page', '?page=2147483648'],
    ['page', '?page[a]=1&page=x'],
    ['perPage', '?perPage=0'],
    ['perPage', '?perPage=101'],
    ['order', '?order=asc'],
    ['order', '?order=ASC&order=DESC'],
    ['orderBy', '?orderBy=updatedAt'],
    ['orderBy', '?orderBy=toString'],
    ['name', '?name=a&name=b'],
    ['name', `?name=${'x'.repeat(101)}`],
    ['name', '?name=%00'],
    ['sort', '?sort=name'],
  ])('should return 400 naming %s for %s', async (field, query) => {
    const response = await list(query);
    expect(response.status).toBe(400);
    const { errors } = response.body as { errors: { field: string }[] };
    expect(errors.map((error) => error.field)).toContain(field);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /api-keys')).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['create-api-keys'] });
    expect((await list('', token)).status).toBe(403);
  });

  it("should list and count only the organization's own keys", async () => {
    const other = await createMember(service);
    await createApiKey(service, other, 'Theirs');
    await createApiKey(service, member, 'Ours');
    for (const query of ['', '?name=s', '?orderBy=name']) {
      const response = await list(query);
      expect(response.body).toMatchObject({ total: 1 });
      expect(namesOf(response)).toEqual(['Ours']);
    }
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
