import { DataSource } from 'typeorm';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { KeyRequestDto, KeyRequestListDto } from '../../src/usage/requests/key-request.dto.js';
import type { LoggedRequest } from '../../src/usage/requests/logged-request.js';
import { RequestBatch } from '../../src/usage/requests/request-batch.js';
import { writeRequests } from '../../src/usage/requests/request-queries.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { exampleRequest } from './example-request.js';

const embedded = 'universal-sentence-encoder-lite';
const models = defaultModels().map((model) =>
  model.id === embedded ? { ...model, price: { perMillionTokens: { input: '2' } } } : model,
);
const [service, replica] = useReplicas({ config: { models, currency: 'EUR' } });
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

/** Sends a request with the key and returns its id. */
async function embed(model = embedded, requestId?: string): Promise<string> {
  const { headers } = await call(service.url, 'POST /v1/embeddings', {
    token: key.key,
    body: { model, input: 'secret text' },
    ...(requestId !== undefined && { headers: { 'x-request-id': requestId } }),
  });
  return headers.get('x-request-id') ?? '';
}

const read = (query = '', token = member.token, id = key.id) =>
  call(service.url, `GET /api-keys/${id}/requests?perPage=100&${query}`, { token });
const list = async (query = '') => (await read(query)).body as KeyRequestListDto;

/** Waits until a request is logged, and returns it. */
async function find(requestId: string): Promise<KeyRequestDto | undefined> {
  const findNow = async () => (await list()).requests.find((request) => request.requestId === requestId);
  await waitFor(async () => (await findNow()) !== undefined);
  return findNow();
}

/** Writes requests of a key, the earliest first, as a replica does. */
async function write(app: typeof service, requests: Iterable<LoggedRequest>, id = key.id): Promise<void> {
  const batch = new RequestBatch();
  for (const request of requests) batch.add(id, request);
  await writeRequests(app.app.get(DataSource), batch);
}

/** Example requests, of which the last has just arrived. */
const examples = (count: number, fields: Parameters<typeof exampleRequest>[0] = {}) =>
  Array.from({ length: count }, (_, index) =>
    exampleRequest({ occurredAt: new Date(Date.now() - count + index), ...fields }),
  );

describe('GET /api-keys/{id}/requests', () => {
  it('should list a request with what it used and cost, and without its body or key', async () => {
    const before = Date.now();
    const request = await find(await embed());
    expect(request).toEqual({
      occurredAt: expect.stringMatching(/Z$/) as string,
      route: 'POST /v1/embeddings',
      model: embedded,
      status: 200,
      outcome: 'success',
      milliseconds: expect.any(Number) as number,
      cost: expect.stringMatching(/^0\.0000\d+$/) as string,
      address: '127.0.0.1',
      requestId: request?.requestId,
      inputTokens: expect.any(Number) as number,
      ...{ cachedInputTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 0, reasoningTokens: 0 },
      ...{ pages: 0, estimatedRequests: 0 },
    });
    expect(request?.inputTokens).toBeGreaterThan(0);
    expect(Date.parse(request?.occurredAt ?? '')).toBeGreaterThanOrEqual(before - 1);
    const database = await dumpDatabase(service);
    for (const secret of ['secret text', key.key.slice(8)]) expect(database).not.toContain(secret);
  });

  it('should have no key that was sent as the request ID or as the model', async () => {
    await embed(key.key);
    await find(await embed(embedded, key.key));
    expect(await dumpDatabase(service)).not.toContain(key.key.slice(8));
  });

  it('should list requests that failed, or that a limit or the key rejected', async () => {
    expect(await find(await embed('unknown'))).toMatchObject({ status: 404, outcome: 'failure', model: null });
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'day', max: 1 }]);
    await embed();
    expect(await find(await embed())).toMatchObject({ status: 429, outcome: 'limited', model: null, cost: null });
    await service.query('update api_keys set enabled = false where id = $1', [key.id]);
    expect(await find(await embed())).toMatchObject({ status: 403, outcome: 'failure' });
  });

  it('should list requests without a model', async () => {
    const { headers } = await call(service.url, 'GET /v1/models', { token: key.key });
    const request = await find(headers.get('x-request-id') ?? '');
    expect(request).toMatchObject({ route: 'GET /v1/models', status: 200, model: null, cost: null });
  });

  it('should be divided into pages, newest first, and filtered by outcome', async () => {
    await write(service, examples(12));
    await write(service, examples(3, { outcome: 'failure', status: 500 }));
    const { total, requests } = await list();
    expect([total, requests.length]).toEqual([15, 15]);
    const times = requests.map(({ occurredAt }) => occurredAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect(await list('outcome=failure')).toMatchObject({ total: 3 });
    expect(await list('outcome=limited')).toMatchObject({ total: 0, requests: [] });
    const { body } = await call(service.url, `GET /api-keys/${key.id}/requests?page=2&perPage=10`, {
      token: member.token,
    });
    expect((body as KeyRequestListDto).requests.map(({ occurredAt }) => occurredAt)).toEqual(times.slice(10));
  });

  it('should find requests by exactly their ID, combined with outcome and pages', async () => {
    const requestId = 'job:7.retry-2';
    await write(service, [...examples(3), ...examples(2, { requestId })]);
    await write(service, examples(1, { requestId, outcome: 'failure', status: 500 }));
    const { total, requests } = await list(`requestId=${requestId}`);
    expect([total, requests.map((request) => request.requestId)]).toEqual([3, Array(3).fill(requestId)]);
    expect(await list(`requestId=${requestId}&outcome=failure`)).toMatchObject({
      total: 1,
      requests: [{ status: 500 }],
    });
    const { body } = await call(
      service.url,
      `GET /api-keys/${key.id}/requests?requestId=${requestId}&page=2&perPage=2`,
      { token: member.token },
    );
    expect(body).toMatchObject({ total: 3, requests: [{ requestId }] });
    for (const other of ['job:7', 'JOB:7.retry-2', '%25', 'x'.repeat(128), '%F0%9F%98%80'.repeat(128)]) {
      expect(await list(`requestId=${other}`)).toMatchObject({ total: 0, requests: [] });
    }
  });

  it('should find a request by the ID in the response that its client received', async () => {
    const requestId = await embed();
    await find(requestId);
    await find(await embed());
    expect(await list(`requestId=${requestId}`)).toMatchObject({ total: 1, requests: [{ requestId }] });
  });

  it('should not find requests of other keys and organizations by their ID', async () => {
    const stranger = await createMember(service);
    const foreign = await createApiKey(service, stranger);
    const other = await createApiKey(service, member);
    for (const id of [foreign.id, other.id]) await write(service, examples(1, { requestId: 'elsewhere' }), id);
    expect(await list('requestId=elsewhere')).toMatchObject({ total: 0 });
    expect((await read('requestId=elsewhere', member.token, foreign.id)).status).toBe(404);
    expect((await read('requestId=elsewhere', stranger.token, foreign.id)).body).toMatchObject({ total: 1 });
  });

  it('should keep the latest 700 successful requests, and 300 others that they never replace', async () => {
    await write(service, [exampleRequest({ outcome: 'failure', status: 500, requestId: 'the first failure' })]);
    for (let round = 0; round < 40; round++) await write(service, examples(50));
    expect(await list()).toMatchObject({ total: 701 });
    for (let round = 0; round < 20; round++) await write(service, examples(50, { outcome: 'limited', status: 429 }));
    expect(await list()).toMatchObject({ total: 1000 });
    const chunks = await service.query('select from request_chunks where api_key_id = $1', [key.id]);
    expect(chunks.length).toBeLessThanOrEqual(22);
  });

  it('should lose no request that two replicas write at the same time', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createApiKey(service, member)));
    const ids = [key, ...others].map(({ id }) => id);
    const rounds = Array.from({ length: 20 }, () =>
      [service, replica].map(async (app) => {
        const batch = new RequestBatch();
        for (const id of ids) for (const request of examples(3)) batch.add(id, request);
        await writeRequests(app.app.get(DataSource), batch);
      }),
    );
    await Promise.all(rounds.flat());
    for (const id of ids) expect((await read('', member.token, id)).body).toMatchObject({ total: 120 });
  });

  it('should leave out requests after 30 days', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    await write(service, [exampleRequest({ occurredAt: days(31) }), exampleRequest({ occurredAt: days(29) })]);
    expect(await list()).toMatchObject({ total: 1 });
  });

  it('should end with the key', async () => {
    await write(service, examples(3));
    await call(service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
    expect((await read()).status).toBe(404);
    expect(await service.query('select from request_chunks where api_key_id = $1', [key.id])).toEqual([]);
  });

  it('should return the same 404 for unknown, foreign and malformed ids', async () => {
    await write(service, examples(1));
    const stranger = await createMember(service);
    const responses = [
      await read('', stranger.token),
      await read('', member.token, 'f0e4c2f7-6c58-4e4b-8f0e-2a0e7a1f3b5d'),
      await read('', member.token, 'no-id'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(responses.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
  });

  it('should return 400 for an invalid query, 401 without a token and 403 without get-usage', async () => {
    expect((await read('outcome=unknown')).body).toMatchObject({ errors: [{ field: 'outcome' }] });
    for (const invalid of ['', 'x'.repeat(129), 'a%00', 'a&requestId=b']) {
      const { status, body } = await read(`requestId=${invalid}`);
      expect([status, body]).toMatchObject([400, { errors: [{ field: 'requestId' }] }]);
    }
    expect((await call(service.url, `GET /api-keys/${key.id}/requests?page=0`, { token: member.token })).status).toBe(
      400,
    );
    expect((await call(service.url, `GET /api-keys/${key.id}/requests`)).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    expect((await read('', token)).status).toBe(403);
  });
});

describe('The log of requests', () => {
  /** Fills the logs of some keys, and returns their ids. No other key has one afterwards. */
  async function fill(hasLongId: boolean) {
    const keys = await Promise.all(Array.from({ length: 10 }, () => createApiKey(service, member)));
    const ids = keys.map(({ id }) => id);
    for (let round = 0; round < 25; round++) {
      const batch = new RequestBatch();
      for (const id of ids) {
        for (const request of examples(40, { hasLongId })) batch.add(id, request);
        for (const request of examples(20, { outcome: 'failure', status: 400, hasLongId })) batch.add(id, request);
      }
      await writeRequests(service.app.get(DataSource), batch);
    }
    await service.query('delete from request_chunks where api_key_id <> all ($1)', [ids]);
    return ids;
  }

  /** Waits until the table takes at most this space. It has deleted rows as long as any transaction could still read them. */
  async function waitForSize(maxBytes: number): Promise<void> {
    await waitFor(async () => {
      await service.query('vacuum full request_chunks');
      const [row] = await service.query<{ size: string }>(`select pg_total_relation_size('request_chunks') as size`);
      return Number(row?.size) <= maxBytes;
    });
  }

  it('should take at most 100 kB per key, with 1,000 requests of each', async () => {
    const ids = await fill(false);
    for (const id of ids) expect((await read('', member.token, id)).body).toMatchObject({ total: 1000 });
    await waitForSize(ids.length * 100_000);
  });

  it('should take at most 100 kB per key with the longest request IDs, by keeping fewer', async () => {
    const ids = await fill(true);
    await waitForSize(ids.length * 100_000);
  });

  it('should not keep requests from being served, and continue afterwards', async () => {
    await service.query('alter table request_chunks rename to request_chunks_away');
    expect((await call(service.url, 'GET /v1/models', { token: key.key })).status).toBe(200);
    const message = 'The latest requests of keys could not be recorded.';
    // Both write to the log of the app that was started last.
    await waitFor(() => replica.logLines.some((line) => line.includes(message)));
    await service.query('alter table request_chunks_away rename to request_chunks');
    expect(await find(await embed())).toMatchObject({ status: 200 });
  });
});
