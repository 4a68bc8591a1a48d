import type { ServerResponse } from 'node:http';
import { beginEvents, chatEvents, generate, generationModel, readChunks } from '../setup/generation.js';
import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { useGateway } from '../setup/gateway.js';
import { readAmounts } from '../setup/recorded-amounts.js';
import { nowhere, respondWithJson, startUpstream, type Upstream } from '../setup/upstream.js';

const { text, usage, done } = chatEvents;
const body = (model: string) => `{"model":"${model}","usage":{"prompt_tokens":3,"completion_tokens":2}}`;

describe('A model with fallbacks', () => {
  let failing: Upstream;
  let working: Upstream;
  const gateway = useGateway(async () => {
    [failing, working] = await Promise.all([startUpstream(), startUpstream()]);
    const fallbacks = ['second'];
    return [
      generationModel([failing], { id: 'first', fallbacks }),
      generationModel([{ baseUrl: nowhere }], { id: 'absent', fallbacks }),
      generationModel([{ ...failing, firstByteSeconds: 1 }], { id: 'slow', fallbacks }),
      generationModel([failing], { id: 'short', contextFallback: 'long' }),
      generationModel([working], { id: 'second', maxOutputTokens: 100 }),
      generationModel([working], { id: 'long', routes: ['chat/completions'] }),
    ];
  });
  beforeEach(() => {
    working.respond = (response) => respondWithJson(response, 200, body('remote-small'));
  });
  afterAll(() => Promise.all([failing.stop(), working.stop()]));
  const fail = (status: number) => {
    failing.respond = (response) => respondWithJson(response, status, '{"error":{"message":"No."}}');
  };

  it.each([408, 429, 500, 502, 503, 529])(
    'should be served by one after a %i, under its name and price',
    async (status) => {
      fail(status);
      const before = await readAmounts(gateway, 'second');
      const response = await generate(gateway, 'chat/completions', { model: 'first', max_tokens: 500 });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-keycard-model')).toBe('second');
      expect(await response.text()).toBe(body('first'));
      // Its own maximum applies.
      expect(working.requests.at(-1)?.body?.toString()).toBe('{"model":"remote-small","max_tokens":100}');
      const after = await readAmounts(gateway, 'second');
      expect(after).toMatchObject({ requests: before.requests + 1, failures: before.failures });
      expect(after.estimatedRequests).toBe(before.estimatedRequests);
    },
  );

  it('should send it a body of several megabytes whole', async () => {
    fail(500);
    const body = JSON.stringify({ model: 'first', messages: [{ role: 'user', content: 'a'.repeat(5_000_000) }] });
    const response = await generate(gateway, 'chat/completions', body);
    expect(response.headers.get('x-keycard-model')).toBe('second');
    expect(working.requests.at(-1)?.body?.toString()).toBe(body.replace('"first"', '"remote-small"'));
  });

  it('should be served by one if its upstream cannot be reached', async () => {
    const response = await generate(gateway, 'chat/completions', { model: 'absent' });
    expect(response.headers.get('x-keycard-model')).toBe('second');
  });

  it('should be served by one if its stream does not begin in time, and charged for both', async () => {
    failing.respond = (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    working.respond = (response) =>
      beginEvents(response, text('remote-small', 'a'), usage('remote-small', 9, 2)).end(done);
    const before = await readAmounts(gateway, 'second');
    const response = await generate(gateway, 'chat/completions', { model: 'slow', stream: true });
    expect(response.headers.get('x-keycard-model')).toBe('second');
    expect(await response.text()).toBe(text('slow', 'a') + done);
    const after = await readAmounts(gateway, 'second');
    expect((after.estimatedRequests ?? 0) - (before.estimatedRequests ?? 0)).toBe(1);
    expect((after.outputTokens ?? 0) - (before.outputTokens ?? 0)).toBe(2 + 64);
  });

  it.each([400, 404, 409, 413, 422])(
    'should not be replaced after a %i, which another would return too',
    async (status) => {
      fail(status);
      const before = working.requests.length;
      expect((await generate(gateway, 'chat/completions', { model: 'first' })).status).toBe(status);
      expect(working.requests).toHaveLength(before);
    },
  );

  it('should not be replaced once its stream has begun', async () => {
    failing.respond = (response) => beginEvents(response, text('remote-small', 'a'));
    const response = await generate(gateway, 'chat/completions', { model: 'first', stream: true });
    const chunks = readChunks(response);
    await chunks.next();
    const before = working.requests.length;
    await failing.stop();
    expect(await chunks.rest()).toContain('"error"');
    expect(working.requests).toHaveLength(before);
    failing = await startUpstream();
  });
});

describe('A fallback', () => {
  let failing: Upstream;
  let working: Upstream;
  const gateway = useGateway(async () => {
    [failing, working] = await Promise.all([startUpstream(), startUpstream()]);
    failing.respond = (response) => respondWithJson(response, 500, '{"error":{"message":"No."}}');
    working.respond = (response) => respondWithJson(response, 200, body('remote-small'));
    return [
      generationModel([failing], { id: 'first', fallbacks: ['second'], contextFallback: 'second' }),
      generationModel([working], { id: 'second', routes: ['chat/completions'] }),
    ];
  });
  afterAll(() => Promise.all([failing.stop(), working.stop()]));

  it('should not serve a key that may not use it', async () => {
    const { key } = await createRestrictedKey(gateway, await createMember(gateway), { models: ['first'] });
    expect((await generate({ url: gateway.url, key }, 'chat/completions', { model: 'first' })).status).toBe(500);
  });

  it('should not serve a route that it does not speak', async () => {
    expect((await generate(gateway, 'responses', { model: 'first' })).status).toBe(500);
  });

  it.each([
    '{"error":{"message":"Too long.","code":"context_length_exceeded"}}',
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
  ])('should serve requests that are too long for the model: %s', async (error) => {
    failing.respond = (response) => respondWithJson(response, 400, error);
    const response = await generate(gateway, 'chat/completions', { model: 'first' });
    expect(response.headers.get('x-keycard-model')).toBe('second');
  });
});
