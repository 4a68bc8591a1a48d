import { randomUUID } from 'node:crypto';
import type { BulkResultDto, BulkRotatedApiKeysDto } from '../../src/api-keys/bulk/bulk.dto.js';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { type CreatedKey, createApiKey, createRestrictedKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;
let keys: CreatedKey[];

beforeEach(async () => {
  member = await createMember(service);
  keys = [];
  for (const name of ['First', 'Second']) {
    keys.push(await createRestrictedKey(service, member, { name, tags: ['eu'] }));
  }
});

const manage = (route: string, body?: unknown, token = member.token) => call(service.url, route, { token, body });
const update = (body: object, token = member.token) => manage('POST /api-keys/bulk-update', body, token);
const remove = (ids: string[], token = member.token) => manage('POST /api-keys/bulk-delete', { ids }, token);
const ids = () => keys.map(({ id }) => id);
const show = (id: string) => manage(`GET /api-keys/${id}`).then(({ body }) => body as ApiKeyDetailsDto);
const showAll = () => Promise.all(ids().map(show));
const use = ({ key }: Pick<CreatedKey, 'key'>) =>
  call(service.url, 'GET /v1/models', { token: key }).then(({ status }) => status);
const changes = async () =>
  (await readAuditEvents(service, { organizationId: member.organizationId })).filter(
    ({ action }) => action !== 'api-key.create',
  );

describe('POST /api-keys/bulk-update', () => {
  it('should change all keys, with an audit event for each that changed', async () => {
    await update({ ids: ids().slice(0, 1), enabled: false });
    const expiresAt = '2099-01-31T09:30:00.000Z';
    const limits = [{ metric: 'requests', per: 'day', max: 5 }];
    const response = await update({
      ids: ids(),
      enabled: false,
      expiresAt,
      limits,
      addTags: ['B'],
      removeTags: ['EU'],
    });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ids: ids(), notFoundIds: [] });
    for (const key of await showAll()) {
      expect(key).toMatchObject({ enabled: false, expiresAt, tags: ['b'], limits: [{ max: 5, used: 0 }] });
    }
    const after = { expiresAt, limits, tags: ['b'] };
    expect(await changes()).toMatchObject([
      { targetId: ids()[0], after: { enabled: false } },
      { targetId: ids()[0], before: { tags: ['eu'] }, after },
      { targetId: ids()[1], after: { ...after, enabled: false } },
    ]);
    expect(await Promise.all(keys.map(use))).toEqual([403, 403]);
  });

  it('should record nothing for keys that are as requested', async () => {
    expect((await update({ ids: ids(), enabled: true, addTags: ['eu'] })).status).toBe(200);
    expect(await changes()).toEqual([]);
  });

  it('should skip and list ids that are unknown or of another organization', async () => {
    const foreign = await createApiKey(service, await createMember(service));
    const unknown = [randomUUID(), foreign.id];
    const response = await update({ ids: [...unknown, ...ids()], enabled: false });
    expect(response.body).toEqual({ ids: ids(), notFoundIds: unknown });
    expect(await use(foreign)).toBe(200);
  });

  it('should change no key if one would have too many tags', async () => {
    const tags = Array.from({ length: 10 }, (_, index) => `tag-${index}`);
    keys.push(await createRestrictedKey(service, member, { name: 'Full', tags }));
    const response = await update({ ids: ids(), addTags: ['another'], enabled: false });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'addTags', message: expect.stringContaining('Full') as string }],
    });
    expect((await showAll()).map(({ tags, enabled }) => [tags.length, enabled])).toEqual([
      [1, true],
      [1, true],
      [10, true],
    ]);
    expect(await changes()).toEqual([]);
  });

  it('should change no key if the organization limits the expiry', async () => {
    await manage('PATCH /organizations/current', { longestKeyLifetimeDays: 30 });
    const response = await update({ ids: ids(), expiresAt: '2099-01-31T09:30:00Z', enabled: false });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'expiresAt' }] });
    expect((await showAll()).map(({ enabled }) => enabled)).toEqual([true, true]);
  });

  it('should change 1,000 keys in one request', async () => {
    const count = 1000;
    await service.query(
      `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash)
       select gen_random_uuid(), $1::uuid, 'Key ' || n, 'key ' || n, 'kc_00000', sha256(convert_to($1::text || n, 'UTF8'))
       from generate_series(1, $2::integer) as n`,
      [member.organizationId, count],
    );
    const rows = await service.query<{ id: string }>(
      `select id from api_keys where organization_id = $1 and name like 'Key %'`,
      [member.organizationId],
    );
    const response = await update({ ids: rows.map(({ id }) => id), addTags: ['many'] });
    expect(response.status).toBe(200);
    expect((response.body as BulkResultDto).ids).toHaveLength(count);
    const { body } = await manage('GET /api-keys?tag=many&perPage=1');
    expect((body as ApiKeyListDto).total).toBe(count);
  });

  it.each([
    ['ids', {}],
    ['ids', { ids: [] }],
    ['ids', { ids: ['x'] }],
    ['ids', { ids: [7] }],
    ['ids', { ids: 'all' }],
    ['ids', { ids: Array.from({ length: 1001 }, () => randomUUID()) }],
    ['ids', { ids: ['01990000-0000-7000-8000-00000000000a', '01990000-0000-7000-8000-00000000000A'] }],
    ['enabled', { enabled: 'no' }],
    ['addTags', { addTags: ['a,b'] }],
    ['removeTags', { removeTags: null }],
    ['limits', { limits: [{}] }],
  ])('should reject invalid %s', async (field, body) => {
    const response = await update('ids' in body || field === 'ids' ? body : { ids: ids(), ...body });
    expect(response.status).toBe(400);
    const { errors } = response.body as { errors: { field: string }[] };
    expect(errors[0]?.field.startsWith(field)).toBe(true);
  });

  it('should require the permission to update keys', async () => {
    expect((await call(service.url, 'POST /api-keys/bulk-update', { body: { ids: ids() } })).status).toBe(401);
    const { organizationId } = member;
    const other = await createMember(service, { organizationId, permissions: ['get-api-keys', 'delete-api-keys'] });
    expect((await update({ ids: ids(), enabled: false }, other.token)).status).toBe(403);
  });
});

describe('POST /api-keys/bulk-rotate', () => {
  const rotate = (body: object, token = member.token) => manage('POST /api-keys/bulk-rotate', body, token);
  const rotatedOf = ({ body }: CallResponse) => (body as BulkRotatedApiKeysDto).apiKeys;

  it('should give each key a new secret, and revoke the current ones after the grace period', async () => {
    const first = await rotate({ ids: ids(), gracePeriodSeconds: 600 });
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(rotatedOf(first).map(({ id }) => id)).toEqual(ids());
    expect(await Promise.all([...keys, ...rotatedOf(first)].map(use))).toEqual([200, 200, 200, 200]);
    const second = await rotate({ ids: ids(), gracePeriodSeconds: 0 });
    expect(await Promise.all([...keys, ...rotatedOf(first)].map(use))).toEqual([401, 401, 401, 401]);
    expect(await Promise.all(rotatedOf(second).map(use))).toEqual([200, 200]);
    const hints = rotatedOf(first).map(({ key }) => key.slice(0, 8));
    expect((await changes()).slice(0, 2)).toMatchObject([
      { action: 'api-key.rotate', targetId: ids()[0], after: { hint: hints[0], gracePeriodSeconds: 600 } },
      { action: 'api-key.rotate', targetId: ids()[1], after: { hint: hints[1], gracePeriodSeconds: 600 } },
    ]);
  });

  it('should rotate none if one has expired, and name it', async () => {
    await service.query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [ids()[1]]);
    const response = await rotate({ ids: ids(), gracePeriodSeconds: 0 });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      code: 'api-key-expired',
      detail: expect.stringContaining('Second') as string,
    });
    expect(await changes()).toEqual([]);
    expect(await Promise.all(keys.map(use))).toEqual([200, 401]);
  });

  it('should skip and list ids that are unknown or of another organization', async () => {
    const foreign = await createApiKey(service, await createMember(service));
    const response = await rotate({ ids: [foreign.id, ...ids()], gracePeriodSeconds: 0 });
    expect(response.body).toMatchObject({ apiKeys: [{ id: ids()[0] }, { id: ids()[1] }], notFoundIds: [foreign.id] });
    expect(await use(foreign)).toBe(200);
  });

  it('should return 400 for an invalid body, 401 without a token, and 403 without the permission', async () => {
    for (const body of [
      { ids: [], gracePeriodSeconds: 0 },
      { ids: ids() },
      { ids: ids(), gracePeriodSeconds: 604_801 },
    ]) {
      expect((await rotate(body)).status).toBe(400);
    }
    const body = { ids: ids(), gracePeriodSeconds: 0 };
    expect((await call(service.url, 'POST /api-keys/bulk-rotate', { body })).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys', 'create-api-keys'] });
    expect((await rotate(body, token)).status).toBe(403);
    expect(await Promise.all(keys.map(use))).toEqual([200, 200]);
  });
});

describe('POST /api-keys/bulk-delete', () => {
  it('should revoke all keys immediately, with an audit event for each', async () => {
    const unknown = randomUUID();
    const response = await remove([...ids(), unknown]);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ids: ids(), notFoundIds: [unknown] });
    expect(await Promise.all(keys.map(use))).toEqual([401, 401]);
    expect((await changes()).map(({ action, targetName }) => [action, targetName])).toEqual([
      ['api-key.delete', 'First'],
      ['api-key.delete', 'Second'],
    ]);
  });

  it('should keep keys of other organizations', async () => {
    const foreign = await createApiKey(service, await createMember(service));
    expect((await remove([foreign.id])).body).toEqual({ ids: [], notFoundIds: [foreign.id] });
    expect(await use(foreign)).toBe(200);
  });

  it('should reject invalid ids, and require the permission to delete keys', async () => {
    expect((await remove([])).status).toBe(400);
    expect((await call(service.url, 'POST /api-keys/bulk-delete', { body: { ids: ids() } })).status).toBe(401);
    const { organizationId } = member;
    const other = await createMember(service, { organizationId, permissions: ['get-api-keys', 'update-api-keys'] });
    expect((await remove(ids(), other.token)).status).toBe(403);
    expect(await Promise.all(keys.map(use))).toEqual([200, 200]);
  });
});
