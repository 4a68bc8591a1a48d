import { generate, generationModel } from '../setup/generation.js';
import { useGateway } from '../setup/gateway.js';
import { readAmounts } from '../setup/recorded-amounts.js';
import { respondWithJson, startUpstream, type Upstream } from '../setup/upstream.js';

const chatUsage =
  '"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}';

describe('A request for generated text', () => {
  let upstream: Upstream;
  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    return [
      generationModel([upstream]),
      generationModel([{ ...upstream, streamUsage: 'never' }], { id: 'silent' }),
      generationModel([upstream], { id: 'mute' }),
      generationModel([{ ...upstream, apiKeyHeader: 'api-key' }], { id: 'azure', routes: ['chat/completions'] }),
    ];
  });
  beforeEach(() => {
    upstream.respond = (response) => respondWithJson(response, 200, `{"model":"remote-small",${chatUsage}}`);
  });
  afterAll(() => upstream.stop());
  const received = () => upstream.requests.at(-1)?.body?.toString();

  it("should reach the upstream as the client wrote it, except for the model's name", async () => {
    const response = await generate(
      gateway,
      'chat/completions',
      ' { "seed":1.50,\n"model" : "small", "messages":[] } ',
    );
    expect(await response.text()).toBe(`{"model":"small",${chatUsage}}`);
    expect(received()).toBe(' { "seed":1.50,\n"model" : "remote-small", "messages":[] } ');
    expect(response.headers.get('x-keycard-model')).toBe('small');
  });

  it.each([
    ['chat/completions', '{"model":"small","max_tokens":5000}', '{"model":"remote-small","max_tokens":1000}'],
    [
      'chat/completions',
      '{"max_completion_tokens":1e3,"model":"small"}',
      '{"max_completion_tokens":1e3,"model":"remote-small"}',
    ],
    [
      'responses',
      '{"model":"small","max_output_tokens":1001}',
      '{"model":"remote-small","store":false,"max_output_tokens":1000}',
    ],
    ['responses', '{"store":null,"model":"small"}', '{"store":false,"model":"remote-small"}'],
    ['responses', '{"store":false,"model":"small"}', '{"store":false,"model":"remote-small"}'],
    ['messages', '{"model":"small","max_tokens":9999999}', '{"model":"remote-small","max_tokens":1000}'],
    ['completions', '{"prompt":"a","model":"small","best_of":3}', '{"prompt":"a","model":"remote-small","best_of":3}'],
  ] as const)('should have only what must differ changed: POST /v1/%s %s', async (route, body, expected) => {
    expect((await generate(gateway, route, body)).status).toBe(200);
    expect(received()).toBe(expected);
  });

  it.each([
    [
      '{"model":"small","stream":true}',
      '{"model":"remote-small","stream_options":{"include_usage":true},"stream":true}',
    ],
    [
      '{"stream_options":{},"stream":true,"model":"small"}',
      '{"stream_options":{"include_usage":true},"stream":true,"model":"remote-small"}',
    ],
    [
      '{"stream_options":{ "include_obfuscation":false},"stream":true,"model":"small"}',
      '{"stream_options":{"include_usage":true, "include_obfuscation":false},"stream":true,"model":"remote-small"}',
    ],
    [
      '{"stream_options":null,"stream":true,"model":"small"}',
      '{"stream_options":{"include_usage":true},"stream":true,"model":"remote-small"}',
    ],
    [
      '{"stream_options":{"include_usage":false},"stream":true,"model":"small"}',
      '{"stream_options":{"include_usage":true},"stream":true,"model":"remote-small"}',
    ],
    ['{"stream":false,"model":"small"}', '{"stream":false,"model":"remote-small"}'],
    ['{"stream":true,"model":"silent"}', '{"stream":true,"model":"remote-small"}'],
  ])('should ask for usage in streams only: %s', async (body, expected) => {
    expect((await generate(gateway, 'chat/completions', body)).status).toBe(200);
    expect(received()).toBe(expected);
  });

  it.each([
    ['responses', 'previous_response_id', '"resp_1"'],
    ['responses', 'conversation', '{"id":"conv_1"}'],
    ['responses', 'prompt', '{"id":"pmpt_1"}'],
    ['responses', 'background', 'true'],
    ['responses', 'store', 'true'],
    ['chat/completions', 'store', 'true'],
    ['chat/completions', 'n', '129'],
    ['chat/completions', 'n', '1e400'],
    ['chat/completions', 'n', '"2"'],
    ['chat/completions', 'max_tokens', '-1'],
    ['chat/completions', 'max_tokens', '1e300'],
    ['chat/completions', 'max_tokens', '0.5'],
    ['chat/completions', 'stream', '"true"'],
    ['chat/completions', 'stream_options', '[]'],
    ['messages', 'max_tokens', '1e18'],
  ] as const)('should be rejected if it has POST /v1/%s %s: %s', async (route, field, json) => {
    const stream = field === 'stream_options' ? '"stream":true,' : '';
    const before = upstream.requests.length;
    const response = await generate(gateway, route, `{"model":"small",${stream}"${field}":${json}}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(field);
    expect(upstream.requests).toHaveLength(before);
  });

  it.each(['{"model":"small","n":1,"n":128}', '{"model":"small","N":128}', '{"model":"small","Max_Tokens":5}'])(
    'should be rejected if parsers could read it differently: %s',
    async (body) => {
      expect((await generate(gateway, 'chat/completions', body)).status).toBe(400);
    },
  );

  it('should be recorded with what the upstream reports, in each dialect', async () => {
    const anthropic =
      '{"model":"remote-small","usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"output_tokens":5}}';
    upstream.respond = (response) => respondWithJson(response, 200, anthropic);
    const before = await readAmounts(gateway, 'small');
    expect((await generate(gateway, 'messages', { model: 'small', max_tokens: 9 })).status).toBe(200);
    const after = await readAmounts(gateway, 'small');
    expect((after.inputTokens ?? 0) - (before.inputTokens ?? 0)).toBe(60);
    expect((after.cachedInputTokens ?? 0) - (before.cachedInputTokens ?? 0)).toBe(30);
    expect((after.cacheWriteTokens ?? 0) - (before.cacheWriteTokens ?? 0)).toBe(20);
    expect((after.outputTokens ?? 0) - (before.outputTokens ?? 0)).toBe(5);
    expect(after.estimatedRequests).toBe(before.estimatedRequests);
  });

  it('should be charged for the length of the response if the upstream reports nothing', async () => {
    const text = `{"model":"remote-small","choices":[{"text":"${'a'.repeat(100)}"}]}`;
    upstream.respond = (response) => respondWithJson(response, 200, text);
    expect((await generate(gateway, 'completions', { model: 'mute', prompt: 'a' })).status).toBe(200);
    expect(await readAmounts(gateway, 'mute')).toMatchObject({ outputTokens: text.length, estimatedRequests: 1 });
  });

  it("should carry Keycard's credential and Anthropic's version, never the client's key", async () => {
    const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a,b', 'x-api-key': gateway.key };
    await generate(gateway, 'messages', { model: 'small', max_tokens: 1 }, { headers });
    const sent = upstream.requests.at(-1)?.headers ?? {};
    expect(sent).toMatchObject({ 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a,b' });
    expect(sent.authorization).toBe('Bearer upstream-secret');
    expect(JSON.stringify(sent)).not.toContain(gateway.key);
    await generate(gateway, 'chat/completions', { model: 'azure' });
    expect(upstream.requests.at(-1)?.headers).toMatchObject({ 'api-key': 'upstream-secret' });
    expect(upstream.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('should reach the upstream whole with an image of 31 MB', async () => {
    const image = `data:image/png;base64,${'A'.repeat(31 * 1024 * 1024)}`;
    const content = [{ type: 'image_url', image_url: { url: image } }];
    const body = { model: 'small', messages: [{ role: 'user', content }], stream: true };
    expect((await generate(gateway, 'chat/completions', body)).status).toBe(200);
    const sent = JSON.parse(received() ?? '') as typeof body & { stream_options: unknown };
    expect(sent.messages[0]?.content[0]?.image_url.url.length).toBe(image.length);
    expect(sent).toMatchObject({ model: 'remote-small', stream_options: { include_usage: true } });
  });

  it('should be rejected on a route that the upstream does not speak', async () => {
    const response = await generate(gateway, 'messages', { model: 'azure', max_tokens: 1 });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { message: "The model 'azure' is for POST /v1/chat/completions, not for POST /v1/messages." },
    });
  });

  it('should count tokens for nothing but the request', async () => {
    upstream.respond = (response) => respondWithJson(response, 200, '{"input_tokens":14}');
    const before = await readAmounts(gateway, 'small');
    const response = await generate(gateway, 'messages/count_tokens', { model: 'small', messages: [] });
    expect(await response.json()).toEqual({ input_tokens: 14 });
    expect(upstream.requests.at(-1)?.url).toBe('/v1/messages/count_tokens');
    expect(await readAmounts(gateway, 'small')).toEqual({ ...before, requests: before.requests + 1 });
  });
});
