import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useRawClients } from '../setup/raw-client.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

let upstream: Upstream;
let key: CreatedKey;
const service = useTestApp(async () => {
  upstream = await startUpstream();
  return { config: { models: [...defaultModels(), upstreamModel([upstream])] } };
});
const connectClient = useRawClients();
afterAll(() => upstream.stop());

beforeEach(async () => {
  key = await createApiKey(service, await createMember(service));
  await setLimits(service, { keyId: key.id }, [
    { metric: 'requests', per: 'day', max: 100 },
    { metric: 'tokens', per: 'day', max: 2_000_000 },
    { metric: 'pages', per: 'day', max: 100 },
  ]);
});

const counters = () => readCounters(service, key.id);
const headOf = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: keycard\r\nx-api-key: ${key.key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

describe('A request whose body has not arrived', () => {
  it.each([
    ['/v1/embeddings', ''],
    ['/v1/embeddings', '{"model":"small","input":"'],
    ['/v1/embeddings', '{"model":"universal-sentence-encoder-lite","input":"'],
    ['/v1/ocr', '{"model":"tesseract","document":'],
  ])('should reserve nothing, however long it is: %s %s', async (path, start) => {
    const client = await connectClient(service);
    await client.write(headOf(path, 8_000_000) + start);
    await waitFor(async () => (await counters())['requests/day']?.[0] === 1);
    expect(await counters()).toEqual({ 'requests/day': [1, 0], 'tokens/day': [0, 0], 'pages/day': [0, 0] });
  });

  it('should reserve nothing if its key may use no model', async () => {
    await service.query(`update api_keys set models = '{}' where id = $1`, [key.id]);
    const body = { model: 'small', input: 'A text' };
    expect((await call(service.url, 'POST /v1/embeddings', { token: key.key, body })).status).toBe(403);
    expect(await counters()).toEqual({ 'requests/day': [0, 0], 'tokens/day': [0, 0], 'pages/day': [0, 0] });
  });

  it.each(['/v1/embeddings', '/v1/ocr'])(
    'should be rejected if nothing is left of what it will use: %s',
    async (path) => {
      await service.query(`update limit_counters set level = 2000000 where owner_id = $1 and metric <> 'requests'`, [
        key.id,
      ]);
      const client = await connectClient(service);
      await client.write(headOf(path, 1000));
      const { status, body } = await client.response();
      expect([status, JSON.parse(body)]).toMatchObject([429, { code: 'insufficient_quota' }]);
      const list = await call(service.url, 'GET /v1/models', { token: key.key });
      expect(list.status).toBe(200);
      expect(await counters()).toMatchObject({ 'requests/day': [1, 0] });
    },
  );
});
