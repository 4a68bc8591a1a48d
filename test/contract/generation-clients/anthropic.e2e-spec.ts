import { scripted } from '../../setup/generation-upstream/script.js';
import { anthropicClients } from '../client-versions.js';
import {
  brokenStreams,
  createLimitedKey,
  endlessStream,
  forecast,
  forecastSchema,
  latestRequest,
  leaveEarly,
  nextFragileModel,
  pixel,
  readAll,
  text,
  untilCanceled,
  useClientGateway,
} from './cases.js';

const gateway = useClientGateway();
const model = 'mini';
const messages = [{ role: 'user' as const, content: 'Write a few words.' }];
const request = { model, max_tokens: 1000, messages };
const scriptedRequest = (...script: Parameters<typeof scripted>) => ({
  ...request,
  messages: [{ role: 'user' as const, content: scripted(...script) }],
});
const forecastTool = { name: 'forecast', input_schema: forecastSchema };

describe.each(anthropicClients)('The $version client', ({ Anthropic }) => {
  let client: InstanceType<typeof Anthropic>;
  beforeAll(() => {
    client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.apiKey.key, maxRetries: 0 });
  });

  it('should get the same message as JSON and as a stream, with thinking and cached input', async () => {
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
    const scripts = { ...scriptedRequest({ input: 40, cachedInput: 20, cacheWrite: 5, reasoning: 5 }), thinking };
    const whole = await client.messages.create({ ...scripts, max_tokens: 2000 });
    const streamed = await client.messages.stream({ ...scripts, max_tokens: 2000 }).finalMessage();
    for (const message of [whole, streamed]) {
      expect(message).toMatchObject({ model, stop_reason: 'end_turn' });
      expect(message.content).toMatchObject([{ type: 'thinking' }, { type: 'text', text }]);
      expect(message.usage).toMatchObject({
        input_tokens: 15,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 5,
        output_tokens: 13,
      });
    }
    expect(latestRequest(gateway)['thinking']).toEqual(thinking);
    expect(whole._request_id).toEqual(expect.any(String));
  });

  it('should authenticate with a bearer token', async () => {
    const bearer = new Anthropic({ baseURL: gateway.url, apiKey: null, authToken: gateway.apiKey.key, maxRetries: 0 });
    expect((await bearer.messages.create(request)).content).toMatchObject([{ text }]);
    const headers = JSON.stringify(gateway.upstream.requests.at(-1)?.headers);
    expect(headers).not.toContain(gateway.apiKey.key);
  });

  it('should list models and count tokens', async () => {
    const { data } = await client.models.list();
    expect(data[0]).toMatchObject({ id: model, type: 'model' });
    expect((await client.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0);
  });

  it('should send the version of the API and beta features', async () => {
    await client.messages.create(request, { headers: { 'anthropic-beta': 'some-feature' } });
    const { headers } = gateway.upstream.requests.at(-1) ?? {};
    expect(headers).toMatchObject({
      'anthropic-version': expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
      'anthropic-beta': 'some-feature',
    });
  });

  it('should stop at the output limit', async () => {
    const limited = { ...scriptedRequest({ tokens: 50 }), max_tokens: 10 };
    const whole = await client.messages.create(limited);
    const streamed = await client.messages.stream(limited).finalMessage();
    for (const message of [whole, streamed]) {
      expect(message).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 10 } });
    }
  });

  it('should call tools and pass their results', async () => {
    const tools = [forecastTool];
    const whole = await client.messages.create({ ...request, tools });
    const streamed = await client.messages.stream({ ...request, tools }).finalMessage();
    for (const { content, stop_reason } of [whole, streamed]) {
      expect(stop_reason).toBe('tool_use');
      expect(content).toMatchObject([{ type: 'tool_use', name: 'forecast', input: forecast }]);
    }
    const result = { type: 'tool_result' as const, tool_use_id: 'call_0', content: 'Sunny' };
    const turns = [
      { role: 'assistant' as const, content: whole.content },
      { role: 'user' as const, content: [result] },
    ];
    const answered = await client.messages.create({ ...request, tools, messages: [...messages, ...turns] });
    expect(answered.content).toMatchObject([{ type: 'text', text }]);
  });

  it('should send images unchanged', async () => {
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: pixel };
    const content = [
      { type: 'image' as const, source },
      { type: 'text' as const, text: 'What is this?' },
    ];
    await client.messages.create({ ...request, messages: [{ role: 'user', content }] });
    expect(latestRequest(gateway)['messages']).toEqual([{ role: 'user', content }]);
  });

  it('should cancel the upstream request when it aborts a stream', async () => {
    const endless = { ...scriptedRequest(endlessStream), stream: true as const };
    const stream = await client.messages.create(endless);
    await leaveEarly(stream);
    await untilCanceled(gateway);
    expect((await client.messages.create(request)).content).toMatchObject([{ text }]);
  });

  it.each(brokenStreams)('should throw after $title in a stream', async ({ script }) => {
    const broken = { ...scriptedRequest(script), model: nextFragileModel() };
    const created = client.messages.create({ ...broken, stream: true }).then(readAll);
    await expect(created).rejects.toBeInstanceOf(Anthropic.APIError);
    const final = client.messages.stream(broken).finalMessage();
    await expect(final).rejects.toBeInstanceOf(Anthropic.APIError);
  });

  it("should raise errors of Keycard and of the upstream in Anthropic's format", async () => {
    const failureOf = (result: Promise<unknown>) => result.catch((error: unknown) => error);
    const unknownModel = await failureOf(client.messages.create({ ...request, model: 'unknown' }));
    expect(unknownModel).toBeInstanceOf(Anthropic.NotFoundError);
    expect(unknownModel).toMatchObject({ error: { type: 'error', error: { type: 'not_found_error' } } });
    const stranger = new Anthropic({ baseURL: gateway.url, apiKey: 'kc_unknown', maxRetries: 0 });
    const unknownKey = await failureOf(stranger.messages.create(request));
    expect(unknownKey).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(unknownKey).toMatchObject({ error: { type: 'error', error: { type: 'authentication_error' } } });
    const fail = { status: 400, type: 'invalid_request_error', message: 'messages: too few' };
    const rejected = await failureOf(
      client.messages.create({ ...scriptedRequest({ fail }), model: nextFragileModel() }),
    );
    expect(rejected).toBeInstanceOf(Anthropic.BadRequestError);
    expect(rejected).toMatchObject({ error: { type: 'error', error: { message: 'messages: too few' } } });
  });

  it('should not retry with a key that has used its limit', async () => {
    const apiKey = await createLimitedKey(gateway);
    const limited = new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 5 });
    const failure: unknown = await limited.messages.create(request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Anthropic.RateLimitError);
    expect(failure).toMatchObject({ error: { type: 'error', error: { type: 'rate_limit_error' } } });
    expect((failure as InstanceType<typeof Anthropic.APIError>).headers?.get('x-should-retry')).toBe('false');
  });
});
