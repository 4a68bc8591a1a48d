import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { describeGateway } from '../../src/ai-gateway/tasks/tasks.js';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import type { ApiKeyDto } from '../../src/api-keys/dto/api-key.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';

const embeddingsModel = 'universal-sentence-encoder-lite';
const alias = 'text-embedding-3-small';
const models = defaultModels().map((model) => (model.id === embeddingsModel ? { ...model, aliases: [alias] } : model));
const [service, replica] = useReplicas({ config: { trustProxy: true, models } });
const dayMilliseconds = 24 * 3600 * 1000;
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const manage = (route: string, body?: unknown, token = member.token) => call(service.url, route, { token, body });
const change = (body: unknown, id = apiKey.id) => manage(`PATCH /api-keys/${id}`, body);
const show = async () => (await manage(`GET /api-keys/${apiKey.id}`)).body as ApiKeyDetailsDto;
const inDays = (days: number) => new Date(Date.now() + days * dayMilliseconds).toISOString();
const codeOf = ({ body }: CallResponse) => (body as { error?: { code: string } }).error?.code;
/** Anthropic's errors have a type instead. */
const codeOn = (route: string, code: string) => (route.startsWith('POST /v1/messages') ? undefined : code);

/** Every route under `/v1`, with the model in the path. */
const routes = Object.entries(describeGateway()).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('{model}', embeddingsModel)}`),
);

/** Sends a request whose body is only read if the key is accepted. */
const send = (url: string, route: string, address = '203.0.113.7') =>
  call(url, route, {
    token: apiKey.key,
    headers: { 'x-forwarded-for': address },
    body: route.startsWith('POST') ? {} : undefined,
  });

describe('A disabled API key', () => {
  it.each(routes)('should get 403 from %s on every replica, and be accepted again once enabled', async (route) => {
    expect((await change({ enabled: false })).status).toBe(200);
    for (const { url } of [service, replica]) {
      const response = await send(url, route);
      expect([response.status, codeOf(response)]).toEqual([403, codeOn(route, 'api_key_disabled')]);
    }
    await change({ enabled: true });
    expect((await send(replica.url, route)).status).not.toBe(403);
  });

  it('should be listed as disabled, and an enabled one without the field', async () => {
    const enabled = await createApiKey(service, member);
    await change({ enabled: false });
    const { apiKeys } = (await manage('GET /api-keys')).body as ApiKeyListDto;
    expect(apiKeys.map(({ id, enabled }) => [id, enabled])).toEqual([
      [enabled.id, undefined],
      [apiKey.id, false],
    ]);
  });

  it('should stay deleted: 401 instead of 403', async () => {
    await change({ enabled: false });
    await manage(`DELETE /api-keys/${apiKey.id}`);
    expect((await send(service.url, 'GET /v1/models')).status).toBe(401);
  });
});

describe('An API key restricted to addresses', () => {
  it.each(routes)('should get 403 from %s for other addresses only', async (route) => {
    await change({ addresses: ['203.0.113.0/24', '2001:db8::1'] });
    for (const { url } of [service, replica]) {
      for (const address of ['203.0.114.7', '2001:db8::2', '::1']) {
        const response = await send(url, route, address);
        expect([address, response.status, codeOf(response)]).toEqual([
          address,
          403,
          codeOn(route, 'address_not_allowed'),
        ]);
        expect(response.body).toMatchObject({ error: { message: expect.stringContaining(address) as string } });
      }
      for (const address of ['203.0.113.255', '::ffff:203.0.113.7', '2001:db8:0::1']) {
        expect([address, (await send(url, route, address)).status]).not.toEqual([address, 403]);
      }
    }
  });

  it('should be stored in canonical form', async () => {
    await change({ addresses: [' 203.0.113.7/24 ', '2001:DB8:0:0::1/128', '::ffff:198.51.100.9', '0.0.0.0/0'] });
    expect((await show()).addresses).toEqual(['203.0.113.0/24', '2001:db8::1', '198.51.100.9', '0.0.0.0/0']);
  });

  it.each([
    [[]],
    [['203.0.113']],
    [['203.0.113.256']],
    [['0x7f.0.0.1']],
    [['010.0.0.1']],
    [['203.0.113.7/33']],
    [['203.0.113.7/-1']],
    [['203.0.113.7/']],
    [['203.0.113.7/24/24']],
    [['2001:db8::/129']],
    [['fe80::1%eth0']],
    [['example.com']],
    [[7]],
    [['203.0.113.7', '203.0.113.7/32']],
    ['203.0.113.7'],
  ])('should not be changed to %j', async (addresses) => {
    const response = await change({ addresses });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'addresses' }] });
    expect((await show()).addresses).toBeNull();
  });
});

describe('An API key restricted to models', () => {
  const embed = (model: string, url = service.url) =>
    call(url, 'POST /v1/embeddings', { token: apiKey.key, body: { model, input: 'text' } });
  const requestsFor = (model: string) => [
    embed(model, replica.url),
    call(service.url, 'POST /v1/ocr', { token: apiKey.key, body: { model, document: { document_url: 'data:,' } } }),
    call(service.url, `GET /v1/models/${model}`, { token: apiKey.key }),
  ];
  const listed = async () => {
    const response = await call(replica.url, 'GET /v1/models', { token: apiKey.key });
    return (response.body as { data: { id: string }[] }).data.map(({ id }) => id);
  };

  it('should get 403 for other models from every route that names one', async () => {
    await change({ models: ['tesseract'] });
    for (const response of await Promise.all(requestsFor(embeddingsModel))) {
      expect([response.status, codeOf(response)]).toEqual([403, 'model_not_allowed']);
      expect(response.body).toMatchObject({ error: { param: 'model' } });
    }
  });

  it('should use its models by id and by alias, and find only them in the list', async () => {
    const all = await listed();
    await change({ models: [embeddingsModel] });
    expect((await embed(embeddingsModel)).status).toBe(200);
    expect((await embed(alias)).status).toBe(200);
    expect(await listed()).toEqual([embeddingsModel, alias]);
    await change({ models: [alias] });
    expect((await embed(embeddingsModel)).status).toBe(200);
    await change({ models: null });
    expect(await listed()).toEqual(all);
  });

  it('should reject every model if the list is empty', async () => {
    await change({ models: [] });
    expect(await listed()).toEqual([]);
    expect((await embed(embeddingsModel)).status).toBe(403);
  });

  it.each([['tesseract'], [['']], [['a\u0000']], [['a', 'a']], [[null]]])(
    'should not be changed to %j',
    async (models) => {
      const response = await change({ models });
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: [{ field: 'models' }] });
      expect((await show()).models).toBeNull();
    },
  );
});

describe('POST /api-keys', () => {
  it('should create a key without restrictions and a note by default', async () => {
    expect(await show()).toMatchObject({ models: null, addresses: null, limits: [], note: null });
  });

  it('should create a key with restrictions and a note', async () => {
    const settings = { models: ['tesseract'], addresses: ['203.0.113.7'], note: 'Owned by the search team' };
    const created = await manage('POST /api-keys', { name: 'Scanner', ...settings });
    expect(created.status).toBe(201);
    const { body } = await manage(`GET ${created.headers.get('location') ?? ''}`);
    expect(body).toMatchObject({ ...settings, enabled: true });
    const { key } = created.body as { key: string };
    const response = await call(service.url, 'GET /v1/models', { token: key });
    expect(codeOf(response)).toBe('address_not_allowed');
  });
});

describe('PATCH /api-keys/{id}', () => {
  it('should change only the fields in the body, and audit only those that changed', async () => {
    await change({ note: 'First', models: ['tesseract'] });
    await change({ note: 'Second', models: ['tesseract'], enabled: true });
    expect(await show()).toMatchObject({ name: 'A key', note: 'Second', models: ['tesseract'], addresses: null });
    await change({ note: ' ' });
    expect((await show()).note).toBeNull();
    await change({});
    const own = await readAuditEvents(service, { targetId: apiKey.id });
    expect(own.slice(1).map(({ before, after }) => [before, after])).toEqual([
      [
        { note: null, models: null },
        { note: 'First', models: ['tesseract'] },
      ],
      [{ note: 'First' }, { note: 'Second' }],
      [{ note: 'Second' }, { note: null }],
    ]);
  });

  it('should revive an expired key with a later expiry, and with none', async () => {
    for (const expiresAt of [inDays(1), null]) {
      await service.query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [apiKey.id]);
      expect((await send(service.url, 'GET /v1/models')).status).toBe(401);
      const { status, body } = await change({ expiresAt });
      expect(status).toBe(200);
      expect((body as ApiKeyDto).expiresAt).toBe(expiresAt ?? undefined);
      expect((await send(replica.url, 'GET /v1/models')).status).toBe(200);
    }
  });

  it('should end the grace period of the previous secret with an earlier expiry', async () => {
    await manage(`POST /api-keys/${apiKey.id}/rotate`, { gracePeriodSeconds: 7 * 24 * 3600 });
    const expiresAt = inDays(1);
    await change({ expiresAt });
    const [key] = await service.query('select previous_secret_expires_at as "end" from api_keys where id = $1', [
      apiKey.id,
    ]);
    expect(key).toEqual({ end: new Date(expiresAt) });
  });

  it("should reject an expiry in the past or beyond the organization's limit, and change nothing", async () => {
    await change({ expiresAt: inDays(10) });
    await manage('PATCH /organizations/current', { longestKeyLifetimeDays: 30 });
    for (const expiresAt of [inDays(-1), inDays(31), null, 'tomorrow', 7]) {
      const response = await change({ expiresAt, note: 'Changed' });
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: [{ field: 'expiresAt' }] });
    }
    expect(await show()).toMatchObject({ note: null });
    expect((await change({ expiresAt: inDays(29) })).status).toBe(200);
    expect((await change({ note: 'Changed' })).status).toBe(200);
  });

  it.each([
    ['enabled', 'yes'],
    ['enabled', null],
    ['note', 'a\u0000b'],
    ['note', 7],
  ])('should return 400 for the field %s with %j', async (field, value) => {
    const response = await change({ [field]: value });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });
});

describe('A restriction', () => {
  it.each([
    ['a model of 201 characters', 'models', ['x'.repeat(201)]],
    ['101 models', 'models', Array.from({ length: 101 }, (_, index) => `model-${index}`)],
    ['101 addresses', 'addresses', Array.from({ length: 101 }, (_, host) => `10.0.0.${host}`)],
    ['a note of 501 characters', 'note', 'x'.repeat(501)],
  ])('should not have %s', async (_title, field, value) => {
    for (const response of [
      await change({ [field]: value }),
      await manage('POST /api-keys', { name: 'New', [field]: value }),
    ]) {
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: [{ field }] });
    }
  });
});
