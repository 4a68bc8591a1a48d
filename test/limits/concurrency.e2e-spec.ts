import type { ServerResponse } from 'node:http';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { Limit } from '../../src/limits/limit.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { type LimitOwner, readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { RawClient } from '../setup/raw-client.js';
import { testJwtSecret } from '../setup/test-app.js';
import { toUrl } from '../setup/test-database.js';
import {
  nowhere,
  type ReceivedRequest,
  respondWithEmbeddings,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { runService } from '../start/service-process.js';
import { abortRequests } from './abort-request.js';

const embedded = 'universal-sentence-encoder-lite';
let upstream: Upstream;
let member: Member;
let key: CreatedKey;

const [service, replica] = useReplicas(async () => {
  upstream = await startUpstream();
  const other = upstreamModel([upstream], { id: 'other' });
  const scans = upstreamModel([upstream], { id: 'scans', task: 'ocr' });
  const failing = upstreamModel([{ baseUrl: nowhere }], { id: 'failing' });
  return { config: { models: [...defaultModels(), upstreamModel([upstream]), other, scans, failing] } };
});
afterAll(() => upstream.stop());

beforeEach(async () => {
  upstream.requests.splice(0);
  upstream.respond = respondWithEmbeddings();
  member = await createMember(service);
  key = await createApiKey(service, member);
});

const limitRunning = (max: number, fields: Partial<Limit> = {}, owner: LimitOwner = { keyId: key.id }) =>
  setLimits(service, owner, [{ metric: 'concurrency', max, ...fields }]);
const list = (url = service.url, { key: token } = key) => call(url, 'GET /v1/models', { token });
const embed = (model = 'small', url = service.url, input = 'a') =>
  call(url, 'POST /v1/embeddings', { token: key.key, body: { model, input } });
const countOf = (responses: CallResponse[], status: number) => responses.filter((one) => one.status === status).length;
const running = async (ownerId = key.id) => {
  const counters = await readCounters(service, ownerId);
  return Object.values(counters).reduce((sum, [, held]) => sum + held, 0);
};

interface HeldRequest {
  readonly sent: Promise<CallResponse>;
  readonly finish: () => void;
}

/** Starts requests that run until `finish` is called. */
async function hold(count: number, model = 'small'): Promise<HeldRequest[]> {
  const waiting: [ServerResponse, ReceivedRequest][] = [];
  upstream.respond = (...args) => waiting.push(args);
  const urls = [service.url, replica.url];
  const inputs = Array.from({ length: count }, (_, index) => `text ${index}`);
  const sent = inputs.map((input, index) => embed(model, urls[index % 2], input));
  await waitFor(() => waiting.length === count);
  upstream.respond = respondWithEmbeddings();
  const finish = (input: string) => {
    const found = waiting.find(([, { body }]) => String(body).includes(input));
    if (found !== undefined) void respondWithEmbeddings()(...found);
  };
  return sent.map((response, index) => ({ sent: response, finish: () => finish(inputs[index] ?? '') }));
}

describe('A limit on running requests', () => {
  it('should reject those beyond it, over two replicas, until another one ends', async () => {
    await limitRunning(2);
    const [first, second] = await hold(2);
    for (const response of [await embed(), await list(), await list(replica.url)]) {
      expect(response.status).toBe(429);
      expect(response.body).toMatchObject({
        error: {
          code: 'rate_limit_exceeded',
          message: "This key's limit of 2 running requests is reached: 2 are running. Retry in 1 s.",
        },
      });
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('x-should-retry')).toBeNull();
    }
    first?.finish();
    await waitFor(async () => (await running()) === 1);
    expect([(await list()).status, (await embed()).status]).toEqual([200, 200]);
    second?.finish();
    expect((await first?.sent)?.status).toBe(200);
    expect((await second?.sent)?.status).toBe(200);
    expect(await running()).toBe(0);
  });

  it('should never be exceeded by requests that arrive at once, and be free after them', async () => {
    await limitRunning(5);
    let [atOnce, most] = [0, 0];
    upstream.respond = (response, request) => {
      most = Math.max(most, ++atOnce);
      setImmediate(() => {
        atOnce -= 1;
        void respondWithEmbeddings()(response, request);
      });
    };
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => embed('small', index % 2 === 0 ? service.url : replica.url)),
    );
    expect(most).toBeLessThanOrEqual(5);
    expect(countOf(responses, 200)).toBeGreaterThanOrEqual(5);
    expect(countOf(responses, 200) + countOf(responses, 429)).toBe(100);
    expect(await running()).toBe(0);
    expect((await embed()).status).toBe(200);
  });

  it('should hold for all keys of an organization together', async () => {
    const other = await createApiKey(service, member);
    await limitRunning(1, {}, { organizationId: member.organizationId });
    const [request] = await hold(1);
    expect((await list(replica.url, other)).status).toBe(429);
    request?.finish();
    await request?.sent;
    expect((await list(replica.url, other)).status).toBe(200);
    expect(await running(member.organizationId)).toBe(0);
  });

  it('should only count requests to its models', async () => {
    await limitRunning(1, { models: ['small'] });
    const [request] = await hold(1);
    expect((await embed('other')).status).toBe(200);
    expect((await list()).status).toBe(200);
    const rejected = await embed('small', replica.url);
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('retry-after')).toBe('1');
    request?.finish();
    await request?.sent;
    expect((await embed('small', replica.url)).status).toBe(200);
    expect(await running()).toBe(0);
  });
});

describe('A request that counts as running', () => {
  it.each([
    ['the models were listed', () => list(), 200],
    ['an unknown model was asked for', () => call(service.url, 'GET /v1/models/unknown', { token: key.key }), 404],
    ['a vector was returned', () => embed(), 200],
    ['its upstream failed', () => embed('failing'), 502],
    ['its model is unknown', () => embed('unknown'), 404],
    [
      'its body is invalid',
      () => call(service.url, 'POST /v1/embeddings', { token: key.key, body: { model: embedded, input: 5 } }),
      400,
    ],
    [
      'its media type is wrong',
      () =>
        fetch(`${service.url}/v1/embeddings`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key.key}`, 'content-type': 'text/plain' },
          body: 'a',
        }),
      415,
    ],
  ])('should free its slots before the response ends when %s', async (_title, send, status) => {
    await setLimits(service, { keyId: key.id }, [
      { metric: 'concurrency', max: 1 },
      { metric: 'concurrency', max: 1, models: ['small'] },
    ]);
    expect((await send()).status).toBe(status);
    expect(await running()).toBe(0);
    expect((await send()).status).toBe(status);
  });

  it('should free its slots when its client disconnects at any point', async () => {
    await setLimits(service, { keyId: key.id }, [
      { metric: 'concurrency', max: 30 },
      { metric: 'concurrency', max: 5, models: ['small'] },
      { metric: 'tokens', per: 'day', max: 1_000_000_000 },
    ]);
    await limitRunning(25, {}, { organizationId: member.organizationId });
    await abortRequests(service.url, key.key, { count: 1000, atOnce: 40 });
    await waitFor(() => service.app.get(ReservationsService).running.count === 0);
    await waitFor(async () => (await running()) + (await running(member.organizationId)) === 0);
    expect((await embed()).status).toBe(200);
  });

  it('should free its slots within 30 seconds when its replica is killed', async () => {
    await limitRunning(3);
    const killed = runService({
      DATABASE_URL: toUrl(service.database),
      JWT_SECRET: testJwtSecret,
      LOG_LEVEL: 'error',
    });
    try {
      const url = await killed.ready;
      const unfinished =
        'POST /v1/embeddings HTTP/1.1\r\nhost: k\r\ncontent-type: application/json\r\ncontent-length: 9';
      const clients = await Promise.all([url, url, url].map((each) => RawClient.connect(each)));
      for (const client of clients) await client.write(`${unfinished}\r\nx-api-key: ${key.key}\r\n\r\n{`);
      await waitFor(async () => (await running()) === 3);
    } finally {
      killed.child.kill('SIGKILL');
      await killed.exited;
    }
    expect((await list()).status).toBe(429);
    // As after 30 seconds.
    await service.query('update limit_counters set held_generation = held_generation - 2 where owner_id = $1', [
      key.id,
    ]);
    const responses = await Promise.all(Array.from({ length: 3 }, () => list()));
    expect(countOf(responses, 200)).toBe(3);
    expect(await running()).toBe(0);
  });
});
