import { randomUUID } from 'node:crypto';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { type CallResponse, call } from '../setup/call.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas();
let member: Member;
let idempotencyKey: string;

beforeEach(async () => {
  member = await createMember(service);
  idempotencyKey = randomUUID();
});

interface Attempt {
  body?: unknown;
  token?: string;
  header?: string;
  at?: { url: string };
}

const create = ({
  body = { name: 'A key' },
  token = member.token,
  header = idempotencyKey,
  at = service,
}: Attempt = {}) => call(at.url, 'POST /api-keys', { token, body, headers: { 'idempotency-key': header } });
const rotate = (id: string, { header = idempotencyKey, body = { gracePeriodSeconds: 60 } }: Attempt = {}) =>
  call(service.url, `POST /api-keys/${id}/rotate`, {
    token: member.token,
    body,
    headers: { 'idempotency-key': header },
  });
const idOf = ({ headers }: CallResponse) => headers.get('location')?.split('/').at(-1) ?? '';
const idsInDatabase = async () =>
  (
    await service.query<{ id: string }>('select id from api_keys where organization_id = $1', [member.organizationId])
  ).map(({ id }) => id);
const statusOf = async (key: string) => (await call(service.url, 'GET /v1/models', { token: key })).status;

describe('POST /api-keys with an Idempotency-Key', () => {
  it('should create one key, and name it in the 409 of a repeat on any replica', async () => {
    const created = await create();
    expect(created.status).toBe(201);
    const id = idOf(created);
    for (const at of [service, replica]) {
      const repeated = await create({ at });
      expect(repeated.status).toBe(409);
      expect(repeated.body).toMatchObject({
        code: 'idempotency-key-reused',
        apiKeyId: id,
        detail: expect.stringContaining(id) as string,
      });
    }
    expect(await idsInDatabase()).toEqual([id]);
  });

  it('should create exactly one key for concurrent duplicates', async () => {
    const attempts = Array.from({ length: 12 }, (_, number) => create({ at: number % 2 === 0 ? service : replica }));
    const responses = await Promise.all(attempts);
    const created = responses.filter(({ status }) => status === 201);
    expect(created.map(idOf)).toEqual(await idsInDatabase());
    const others = responses.filter((response) => !created.includes(response));
    expect(others.map(({ status, body }) => [status, (body as { apiKeyId: string }).apiKeyId])).toEqual(
      Array.from({ length: 11 }, () => [409, created.map(idOf)[0]]),
    );
  });

  it("should say that the body differs from the earlier request's", async () => {
    await create();
    const detail = async (body: unknown) => ((await create({ body })).body as { detail: string }).detail;
    expect(await detail({ name: 'A key' })).not.toContain('different body');
    expect(await detail({ name: 'Another key' })).toContain('different body');
    expect(await idsInDatabase()).toHaveLength(1);
  });

  it('should let a rejected request be repeated with a valid body', async () => {
    expect((await create({ body: { name: '' } })).status).toBe(400);
    expect((await create({ body: { name: 'A key', expiresAt: '2020-01-01T00:00:00Z' } })).status).toBe(400);
    expect((await create()).status).toBe(201);
  });

  it('should not affect other principals, organizations and routes with the same Idempotency-Key', async () => {
    const id = idOf(await create());
    const { organizationId } = member;
    const colleague = await createMember(service, { organizationId });
    const account = await createServiceAccount(service, { organizationId });
    const stranger = await createMember(service);
    for (const token of [colleague.token, await tokenOf(service, account), stranger.token]) {
      expect((await create({ token })).status).toBe(201);
    }
    expect((await rotate(id)).status).toBe(200);
    expect((await rotate((await createApiKey(service, member)).id)).status).toBe(200);
  });

  it('should create another key after 24 hours, and delete the expired row', async () => {
    await create();
    const [{ hours } = {}] = await service.query<{ hours?: number }>(
      'select round(extract(epoch from expires_at - clock_timestamp()) / 3600)::int as hours from idempotency_keys where organization_id = $1',
      [member.organizationId],
    );
    expect(hours).toBe(24);
    await service.query(`update idempotency_keys set expires_at = clock_timestamp() - interval '1 second'`);
    expect((await create({ header: randomUUID() })).status).toBe(201);
    expect((await create()).status).toBe(201);
    expect(await idsInDatabase()).toHaveLength(3);
    expect(await service.query('select from idempotency_keys where expires_at < clock_timestamp()')).toEqual([]);
  });

  it.each(['', 'two words', 'x'.repeat(256), 'ü'])('should return 400 for the header %j', async (header) => {
    const response = await create({ header });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'Idempotency-Key' }] });
    expect(await idsInDatabase()).toEqual([]);
  });

  it('should return 400 if the header is repeated', async () => {
    const headers = new Headers({ authorization: `Bearer ${member.token}`, 'content-type': 'application/json' });
    for (const value of ['a', 'b']) headers.append('idempotency-key', value);
    const response = await fetch(`${service.url}/api-keys`, { method: 'POST', headers, body: '{"name":"A key"}' });
    expect(response.status).toBe(400);
  });

  it.each(['x', 'x'.repeat(255), '"8e03978e-40d5-43e8-bc93-6894a57f9324"'])(
    'should accept the header %j',
    async (header) => {
      expect((await create({ header })).status).toBe(201);
      expect((await create({ header })).status).toBe(409);
    },
  );

  it('should store the header only as a hash', async () => {
    await create();
    expect(await dumpDatabase(service)).not.toContain(idempotencyKey);
  });
});

describe('POST /api-keys/{id}/rotate with an Idempotency-Key', () => {
  let apiKey: CreatedKey;
  beforeEach(async () => {
    apiKey = await createApiKey(service, member);
  });

  it('should rotate once, and let a script that lost the response rotate again with a new Idempotency-Key', async () => {
    const first = (await rotate(apiKey.id)).body as { key: string };
    const repeated = await rotate(apiKey.id);
    expect(repeated.status).toBe(409);
    expect(repeated.body).toMatchObject({ code: 'idempotency-key-reused', apiKeyId: apiKey.id });
    expect(await Promise.all([apiKey.key, first.key].map(statusOf))).toEqual([200, 200]);
    const second = await rotate(apiKey.id, { header: randomUUID() });
    expect(await statusOf((second.body as { key: string }).key)).toBe(200);
  });

  it('should rotate exactly once for concurrent duplicates', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => rotate(apiKey.id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await statusOf(apiKey.key)).toBe(200);
  });

  it('should let a rejected rotation be repeated', async () => {
    expect((await rotate(apiKey.id, { body: {} })).status).toBe(400);
    await service.query(`update api_keys set expires_at = clock_timestamp() - interval '1 day' where id = $1`, [
      apiKey.id,
    ]);
    expect((await rotate(apiKey.id)).body).toMatchObject({ code: 'api-key-expired' });
    await service.query('update api_keys set expires_at = null where id = $1', [apiKey.id]);
    expect((await rotate(apiKey.id)).status).toBe(200);
  });
});
