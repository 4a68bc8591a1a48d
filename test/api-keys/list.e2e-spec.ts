import { DataSource } from 'typeorm';
import { ApiKey } from '../../src/api-keys/api-key.entity.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const list = (query = '', token = member.token) => call(service.url, `GET /api-keys${query}`, { token });
const keysOf = (response: CallResponse) => (response.body as ApiKeyListDto).apiKeys;
const namesOf = (response: CallResponse) => keysOf(response).map(({ name }) => name);

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

  it('should find a whole name case-insensitively', async () => {
    for (const name of ['Über indexer', 'Über indexer 2', 'An Über indexer', 'u\u0308BER INDEXER']) {
      await createApiKey(service, member, name);
    }
    await createApiKey(service, await createMember(service), 'Über indexer');
    const response = await list(`?exactName=${encodeURIComponent('über Indexer')}&orderBy=createdAt&order=ASC`);
    expect(response.body).toMatchObject({ total: 2 });
    expect(namesOf(response).map((name) => name.normalize('NFKC'))).toEqual(['Über indexer', 'üBER INDEXER']);
  });

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

  it('should sort by last use and expiry, with unused keys as least recently used and keys without expiry as last to expire', async () => {
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
    ['letters with combining accents', 'u\u0308ber', ['über alles']],
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
    ['hint', '?hint=kc_4fT9'],
    ['hint', '?hint=kc_4fT9qq'],
    ['hint', '?hint='],
    ['hint', '?hint=sk_4fT9q'],
    ['id', '?id=x'],
    ['id', '?id='],
    ['state', '?state=gone'],
    ['state', '?state='],
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

describe('Filters of GET /api-keys', () => {
  const set = (id: string, assignments: string) =>
    service.query(`update api_keys set ${assignments} where id = $1`, [id]);
  const find = async (filter: string, token = member.token) => namesOf(await list(`?${filter}`, token)).sort();

  it('should find a leaked key by its first 8 characters, in its own organization only', async () => {
    const { key } = await createApiKey(service, member, 'A key');
    await createApiKey(service, member, 'Another key');
    const hint = key.slice(0, 8);
    expect(await find(`hint=${hint}`)).toEqual(['A key']);
    expect(await find(`hint=${hint}`, (await createMember(service)).token)).toEqual([]);
  });

  it('should find a rotated key by its previous hint while that secret works, in its own organization only', async () => {
    const { id, key } = await createApiKey(service, member, 'A key');
    const hint = key.slice(0, 8);
    const rotate = () =>
      call(service.url, `POST /api-keys/${id}/rotate`, { token: member.token, body: { gracePeriodSeconds: 600 } });
    await rotate();
    expect(await find(`hint=${hint}`)).toEqual(['A key']);
    expect(await find(`hint=${hint}`, (await createMember(service)).token)).toEqual([]);
    await set(id, 'previous_secret_expires_at = clock_timestamp()');
    expect(await find(`hint=${hint}`)).toEqual([]);
    await rotate();
    expect(await find(`hint=${hint}`)).toEqual([]);
  });

  it('should find several keys by their ids, in its own organization only, together with other filters', async () => {
    const ids: string[] = [];
    for (const name of ['First', 'Second', 'Third']) ids.push((await createApiKey(service, member, name)).id);
    const foreign = await createApiKey(service, await createMember(service), 'Foreign');
    const both = `id=${ids[0]}&id=${ids[1]?.toUpperCase()}&id=${foreign.id}`;
    expect(await find(both)).toEqual(['First', 'Second']);
    expect(await find(`${both}&name=sec`)).toEqual(['Second']);
    expect(await find(`id=${foreign.id}`)).toEqual([]);
    const tooMany = Array.from({ length: 101 }, (_, index) => `id=${foreign.id.slice(0, -3)}${index + 100}`);
    expect((await list(`?${tooMany.join('&')}`)).body).toMatchObject({ errors: [{ field: 'id' }] });
  });

  it('should filter by state, in its own organization only', async () => {
    const settings: Record<string, string> = {
      disabled: 'enabled = false',
      expired: `expires_at = now() - interval '1 second'`,
      'expires in 6 days': `expires_at = now() + interval '6 days'`,
      'expires in 8 days': `expires_at = now() + interval '8 days'`,
      'never used': `created_at = now() - interval '91 days'`,
      'used long ago': `last_used_at = now() - interval '91 days'`,
      'used lately': `created_at = now() - interval '91 days', last_used_at = now() - interval '89 days'`,
    };
    const owner = await createMember(service);
    for (const [name, assignments] of Object.entries(settings)) {
      await set((await createApiKey(service, owner, name)).id, assignments);
      await set((await createApiKey(service, member, `foreign ${name}`)).id, assignments);
    }
    const active = ['expires in 6 days', 'expires in 8 days', 'never used', 'used lately', 'used long ago'];
    const expected = {
      active,
      disabled: ['disabled'],
      expired: ['expired'],
      expiring: ['expires in 6 days'],
      unused: ['never used', 'used long ago'],
    };
    for (const [state, names] of Object.entries(expected)) {
      expect([state, await find(`state=${state}`, owner.token)]).toEqual([state, names]);
    }
  });
});
