import { scripted } from '../../setup/generation-upstream/script.js';
import { waitFor } from '../../setup/wait-for.js';
import { openAiClients } from '../client-versions.js';
import {
  brokenStreams,
  createLimitedKey,
  endlessStream,
  forecast,
  forecastSchema,
  latestRequest,
  leaveEarly,
  nextFragileModel,
  pixelUrl,
  readAll,
  text,
  untilCanceled,
  useClientGateway,
} from './cases.js';

const gateway = useClientGateway();
const model = 'mini';
const messages = [{ role: 'user' as const, content: 'Write a few words.' }];
const scriptedMessages = (...script: Parameters<typeof scripted>) => [
  { role: 'user' as const, content: scripted(...script) },
];
const forecastTool = { type: 'function' as const, function: { name: 'forecast', parameters: forecastSchema } };

describe.each(openAiClients)('Chat completions of the $version client', ({ OpenAI }) => {
  let client: InstanceType<typeof OpenAI>;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey.key, maxRetries: 0 });
  });

  it('should return several choices with log probabilities and usage', async () => {
    const completion = await client.chat.completions.create({
      model,
      messages: scriptedMessages({ input: 40, cachedInput: 30, reasoning: 5 }),
      n: 3,
      logprobs: true,
      reasoning_effort: 'low',
    });
    expect(completion.model).toBe(model);
    expect(completion.choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual(
      Array.from({ length: 3 }, () => [text, 'stop']),
    );
    expect(completion.choices[2]?.logprobs?.content).toHaveLength(8);
    expect(completion.usage).toMatchObject({
      prompt_tokens: 40,
      completion_tokens: 39,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 15 },
    });
    expect(latestRequest(gateway)).toMatchObject({ n: 3, logprobs: true, reasoning_effort: 'low' });
    expect(completion._request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('should stream several choices with log probabilities', async () => {
    const request = { model, messages, n: 2, logprobs: true, stream: true as const };
    const completion = await client.chat.completions.stream(request).finalChatCompletion();
    expect(completion.model).toBe(model);
    expect(completion.choices.map(({ message }) => message.content)).toEqual([text, text]);
    expect(completion.choices[1]?.logprobs?.content).toHaveLength(8);
  });

  it('should see usage in a stream only if it asks', async () => {
    const request = { model, messages, stream: true as const };
    const plain = await readAll(await client.chat.completions.create(request));
    expect(plain.filter(({ choices }) => choices.length === 0)).toEqual([]);
    const asking = await readAll(
      await client.chat.completions.create({ ...request, stream_options: { include_usage: true } }),
    );
    expect(asking.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 8 } });
  });

  it('should call tools and pass their results', async () => {
    const request = { model, messages, tools: [forecastTool] };
    const called = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    for (const { choices } of [called, streamed]) {
      const [call] = choices[0]?.message.tool_calls ?? [];
      expect(call).toMatchObject({ id: 'call_0', type: 'function', function: { name: 'forecast' } });
      expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toEqual(forecast);
    }
    const result = { role: 'tool' as const, tool_call_id: 'call_0', content: 'Sunny' };
    const message = called.choices[0]?.message ?? messages[0];
    const answered = await client.chat.completions.create({
      ...request,
      messages: [...messages, ...(message ? [message] : []), result],
    });
    expect(answered.choices[0]?.message.content).toBe(text);
  });

  it('should parse structured output', async () => {
    const format = { name: 'forecast', strict: true, schema: forecastSchema };
    const request = { model, messages, response_format: { type: 'json_schema' as const, json_schema: format } };
    const { choices } = await client.chat.completions.parse(request);
    expect(choices[0]?.message.parsed).toEqual(forecast);
    expect(latestRequest(gateway)['response_format']).toEqual(request.response_format);
  });

  it('should send images unchanged', async () => {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: pixelUrl, detail: 'low' as const } },
    ];
    await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
    expect(latestRequest(gateway)['messages']).toEqual([{ role: 'user', content }]);
  });

  it('should cancel the upstream request when it aborts a stream or a request', async () => {
    const slow = scriptedMessages(endlessStream);
    const stream = await client.chat.completions.create({ model, messages: slow, stream: true });
    await leaveEarly(stream);
    await untilCanceled(gateway);
    const controller = new AbortController();
    const { signal } = controller;
    const received = gateway.upstream.requests.length;
    const request = client.chat.completions.create({ model, messages: slow }, { signal });
    request.catch(() => undefined);
    await waitFor(() => gateway.upstream.requests.length > received);
    controller.abort();
    await expect(request).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await untilCanceled(gateway);
    expect((await client.chat.completions.create({ model, messages })).choices).toHaveLength(1);
  });

  it.each(brokenStreams)('should throw after $title in a stream', async ({ script }) => {
    const request = { model: nextFragileModel(), messages: scriptedMessages(script), stream: true as const };
    const failure: unknown = await client.chat.completions
      .create(request)
      .then(readAll)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.APIError);
    expect(failure).toMatchObject({ status: undefined, type: expect.stringMatching(/error/) as string });
  });

  it('should raise the error of a request that fails before its response begins', async () => {
    const fail = { status: 400, message: 'Bad temperature', type: 'invalid_request_error', param: 'temperature' };
    const request = { model: nextFragileModel(), messages: scriptedMessages({ fail }), stream: true as const };
    const failure: unknown = await client.chat.completions.create(request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
    expect(failure).toMatchObject({ param: 'temperature' });
  });
});

describe.each(openAiClients)('The $version client with a key that has used its limit', ({ OpenAI }) => {
  it('should not retry', async () => {
    const limited = await createLimitedKey(gateway);
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: limited, maxRetries: 5 });
    const failure: unknown = await client.chat.completions.create({ model, messages }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.RateLimitError);
    expect((failure as InstanceType<typeof OpenAI.APIError>).headers?.get('x-should-retry')).toBe('false');
  });
});

describe.each(openAiClients)('Completions of the $version client', ({ OpenAI }) => {
  it('should be the same as JSON and as a stream, with log probabilities', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey.key, maxRetries: 0 });
    const request = { model, prompt: 'Write a few words.', n: 2, logprobs: 1 };
    const { choices } = await client.completions.create(request);
    expect(choices.map((choice) => choice.text)).toEqual([text, text]);
    expect(choices[0]?.logprobs?.tokens).toHaveLength(8);
    const chunks = await readAll(await client.completions.create({ ...request, stream: true }));
    const texts = chunks.flatMap((chunk) => chunk.choices).filter(({ index }) => index === 1);
    expect(texts.map((choice) => choice.text).join('')).toBe(text);
  });
});
