import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { nowhere, respondWithJson, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const model = 'universal-sentence-encoder-lite';
let upstream: Upstream;
let key: CreatedKey;

const service = useTestApp(async () => {
  upstream = await startUpstream();
  const unreachable = upstreamModel([{ baseUrl: nowhere }], { id: 'unreachable' });
  return { config: { models: [...defaultModels(), upstreamModel([upstream]), unreachable] } };
});

afterAll(() => upstream.stop());

beforeEach(async () => {
  key = await createApiKey(service, await createMember(service));
  await setLimits(service, { keyId: key.id }, [
    { metric: 'requests', per: 'day', max: 10 },
    { metric: 'tokens', per: 'day', max: 1_000_000 },
    { metric: 'pages', per: 'day', max: 10 },
  ]);
});

const statusOf = async (route: string, body: object) =>
  (await call(service.url, route, { token: key.key, body })).status;
const embed = (body: object) => statusOf('POST /v1/embeddings', { model: 'small', input: 'Some text', ...body });
const read = (document: object, name = 'tesseract') => statusOf('POST /v1/ocr', { model: name, document });
const inDocument = (text: string) => ({ document_url: `data:application/pdf;base64,${btoa(text)}` });

/** Used and reserved. */
const used = (requests: number) => ({ 'requests/day': [requests, 0], 'tokens/day': [0, 0], 'pages/day': [0, 0] });
const counters = () => readCounters(service, key.id);

describe('A failed request', () => {
  it.each([
    [400, 400],
    [429, 429],
    [500, 502],
  ])('should cost a request, but no tokens, if its upstream responds %i', async (upstreamStatus, status) => {
    upstream.respond = (response) => respondWithJson(response, upstreamStatus, '{"error":{"message":"No."}}');
    expect(await embed({})).toBe(status);
    expect(await counters()).toEqual(used(1));
  });

  it('should cost a request, but no tokens, if its upstream cannot be reached', async () => {
    expect(await embed({ model: 'unreachable' })).toBe(502);
    expect(await counters()).toEqual(used(1));
  });

  it('should cost nothing if its upstream is unavailable', async () => {
    upstream.respond = (response) => respondWithJson(response, 503, '{}');
    expect(await embed({})).toBe(503);
    expect(await counters()).toEqual(used(0));
  });

  it('should cost a request, but no tokens or pages, if it is invalid', async () => {
    expect(await embed({ model, dimensions: 513 })).toBe(400);
    expect(await embed({ model: 'unknown' })).toBe(404);
    expect(await read(inDocument('text'))).toBe(422);
    expect(await read({ document_url: 'ftp://example.com/a.pdf' })).toBe(400);
    expect(await read(inDocument('text'), 'unknown')).toBe(404);
    expect(await counters()).toEqual(used(5));
  });

  it('should cost a request, but no tokens, if its client disconnects while the model runs', async () => {
    const disconnect = new AbortController();
    const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
    // One token per letter: more than estimated from the size of the body, so that the counter shows the exact number.
    const body = JSON.stringify({ model, input: Array.from({ length: 1000 }, () => 'a '.repeat(200)) });
    const sent = fetch(`${service.url}/v1/embeddings`, { method: 'POST', headers, body, signal: disconnect.signal });
    await waitFor(async () => (await counters())['tokens/day']?.[1] === 200_000);
    disconnect.abort();
    await expect(sent).rejects.toThrow();
    await waitFor(async () => (await counters())['tokens/day']?.[1] === 0);
    expect(await counters()).toEqual(used(1));
  });
});
