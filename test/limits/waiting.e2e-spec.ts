import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { RawClient } from '../setup/raw-client.js';
import { respondWithEmbeddings, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useAppStarter, useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const model = 'universal-sentence-encoder-lite';
let upstream: Upstream;
let member: Member;
let key: CreatedKey;

const settings = () => ({
  config: { models: [...defaultModels(), upstreamModel([upstream])], limitWaitSeconds: 20 },
});
const [service, replica] = useReplicas(async () => {
  upstream = await startUpstream();
  return settings();
});
const startApp = useAppStarter();
afterAll(() => upstream.stop());

beforeEach(async () => {
  upstream.requests.splice(0);
  upstream.respond = respondWithEmbeddings();
  member = await createMember(service);
  key = await createApiKey(service, member);
});

const embed = (input: unknown, name = model, url = service.url) =>
  call(url, 'POST /v1/embeddings', { token: key.key, body: { model: name, input } });
const count = (responses: CallResponse[], status: number) => responses.filter((one) => one.status === status).length;
const limitTokens = (max: number) => setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'day', max }]);
const tokens = async () => (await readCounters(service, key.id))['tokens/day'];
const codeOf = ({ body }: CallResponse) => (body as { error: { code: string } }).error.code;
/** Eleven tokens. */
const text = 'one two three four five six seven eight nine eleven';

describe('Concurrent requests of eleven tokens, with 200 tokens a day', () => {
  it('should be served exactly as often as they fit, over two replicas', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'month', max: 1000 }]);
    expect((await embed(text)).body).toMatchObject({ usage: { prompt_tokens: 11 } });
    await limitTokens(200);
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => embed(text, model, index % 2 === 0 ? service.url : replica.url)),
    );
    expect([count(responses, 200), count(responses, 429)]).toEqual([18, 42]);
    expect(await tokens()).toEqual([198, 0]);
    for (const response of responses.filter(({ status }) => status === 429)) {
      expect(codeOf(response)).toBe('insufficient_quota');
      expect(response.headers.get('x-should-retry')).toBe('false');
    }
  });
});

describe('A busy key', () => {
  it('should keep nothing from a request that needs all that is left, on another replica', async () => {
    const texts = { before: 40, last: 140 };
    await limitTokens((texts.before + texts.last) * 11);
    const responses = await Promise.all(Array.from({ length: texts.before }, () => embed(text)));
    expect(count(responses, 200)).toBe(texts.before);
    expect((await embed(Array(texts.last).fill(text), model, replica.url)).status).toBe(200);
    expect(await tokens()).toEqual([(texts.before + texts.last) * 11, 0]);
  });
});

describe('A request that fits except for what another one reserves', () => {
  /** Holds the response of the next request, which reserves more than it will use. */
  async function hold(url = service.url): Promise<{ sent: Promise<CallResponse>; finish: () => void }> {
    let finish = () => {};
    upstream.respond = (response, request) => {
      upstream.respond = respondWithEmbeddings();
      finish = () => void respondWithEmbeddings(10)(response, request);
    };
    const before = upstream.requests.length;
    const sent = embed('x'.repeat(60), 'small', url);
    await waitFor(() => upstream.requests[before]?.body !== undefined);
    return { sent, finish: () => finish() };
  }

  it('should wait for it, and then be served', async () => {
    await limitTokens(100);
    const { sent, finish } = await hold();
    const waiting = embed('y'.repeat(60), 'small', replica.url);
    await waitFor(async () => (await waiters()) === 1);
    expect(upstream.requests).toHaveLength(1);
    finish();
    expect([(await sent).status, (await waiting).status]).toEqual([200, 200]);
    expect(await tokens()).toEqual([18, 0]);
  });

  it('should be rejected immediately once what is charged leaves too little', async () => {
    await limitTokens(100);
    const { sent, finish } = await hold();
    const waiting = embed('y'.repeat(95), 'small');
    await waitFor(async () => (await waiters()) === 1);
    finish();
    await sent;
    const response = await waiting;
    expect([response.status, codeOf(response)]).toEqual([429, 'insufficient_quota']);
  });

  it('should not be overtaken by a smaller one on another replica', async () => {
    await limitTokens(100);
    const { sent, finish } = await hold();
    const waiting = embed('y'.repeat(80), 'small').then(() => 'large');
    await waitFor(async () => (await waiters()) === 1);
    const small = embed('z'.repeat(5), 'small', replica.url).then(() => 'small');
    await waitFor(() => replica.app.get(ReservationsService).waitingCount === 1);
    expect(upstream.requests).toHaveLength(1);
    finish();
    await sent;
    await Promise.all([waiting, small]);
    const inputs = upstream.requests.map(({ body }) => String(body));
    expect(inputs[1]).toContain('yyy');
    expect(inputs[2]).toContain('zzz');
  });

  it('should leave the line when its client disconnects', async () => {
    await limitTokens(100);
    const { sent, finish } = await hold();
    const client = await RawClient.connect(service.url);
    const body = JSON.stringify({ model: 'small', input: 'y'.repeat(80) });
    await client.write(
      `POST /v1/embeddings HTTP/1.1\r\nhost: k\r\nx-api-key: ${key.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await waitFor(() => service.app.get(ReservationsService).waitingCount === 1);
    client.destroy();
    await waitFor(() => service.app.get(ReservationsService).waitingCount === 0);
    finish();
    expect((await sent).status).toBe(200);
    expect((await embed('z'.repeat(80), 'small')).status).toBe(200);
    expect(await tokens()).toEqual([18, 0]);
  });

  it('should be rejected with Retry-After after LIMIT_WAIT_SECONDS, and not as exhausted', async () => {
    await limitTokens(100);
    const { config } = settings();
    const impatient = await startApp({ database: service.database, config: { ...config, limitWaitSeconds: 0 } });
    const { sent, finish } = await hold();
    const response = await embed('y'.repeat(60), 'small', impatient.url);
    expect([response.status, codeOf(response)]).toEqual([429, 'rate_limit_exceeded']);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-should-retry')).toBeNull();
    finish();
    expect((await sent).status).toBe(200);
    expect((await embed('y'.repeat(60), 'small', impatient.url)).status).toBe(200);
  });

  const waiters = async () => {
    const [row] = await service.query<{ count: number }>(
      `select count(*)::int as count from limit_counters where owner_id = $1 and waiters <> '{}'`,
      [key.id],
    );
    return row?.count;
  };
});
