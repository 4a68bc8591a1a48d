import { scripted } from '../../setup/generation-upstream/script.js';
import { openAiClients } from '../client-versions.js';
import {
  brokenStreams,
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
const input = 'Write a few words.';
const forecastTool = { type: 'function' as const, name: 'forecast', parameters: forecastSchema, strict: true };

describe.each(openAiClients)('Responses of the $version client', ({ OpenAI }) => {
  let client: InstanceType<typeof OpenAI>;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey.key, maxRetries: 0 });
  });

  it('should be the same as JSON and as a stream, with reasoning and log probabilities', async () => {
    const request = {
      model,
      input: scripted({ input: 40, cachedInput: 30, reasoning: 5 }),
      include: ['message.output_text.logprobs' as const],
      reasoning: { effort: 'low' as const, summary: 'auto' as const },
    };
    const whole = await client.responses.create(request);
    const streamed = await client.responses.stream(request).finalResponse();
    for (const response of [whole, streamed]) {
      expect(response).toMatchObject({ model, status: 'completed', output_text: text });
      expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
      expect(response.usage).toMatchObject({
        input_tokens: 40,
        input_tokens_details: { cached_tokens: 30 },
        output_tokens: 13,
        output_tokens_details: { reasoning_tokens: 5 },
      });
    }
    expect(latestRequest(gateway)).toMatchObject({
      store: false,
      include: request.include,
      reasoning: request.reasoning,
    });
  });

  it('should receive every event of a stream in order', async () => {
    const events = await readAll(await client.responses.create({ model, input, stream: true }));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events[0]).toMatchObject({ type: 'response.created', response: { model } });
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { model } });
    const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
    expect(deltas.join('')).toBe(text);
  });

  it('should end with response.incomplete at the output limit', async () => {
    const request = { model, input: scripted({ tokens: 50 }), max_output_tokens: 20 };
    const events = await readAll(await client.responses.create({ ...request, stream: true }));
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'incomplete' } });
    expect(await client.responses.create(request)).toMatchObject({
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 20 },
    });
  });

  it('should call tools and pass their results', async () => {
    const request = { model, input, tools: [forecastTool] };
    const whole = await client.responses.create(request);
    const streamed = await client.responses.stream(request).finalResponse();
    for (const { output } of [whole, streamed]) {
      const [call] = output;
      expect(call).toMatchObject({ type: 'function_call', name: 'forecast', call_id: 'call_0' });
      expect(JSON.parse(call?.type === 'function_call' ? call.arguments : '')).toEqual(forecast);
    }
    const [call] = whole.output;
    const result = { type: 'function_call_output' as const, call_id: 'call_0', output: 'Sunny' };
    const asked = { role: 'user' as const, content: input };
    const answered = await client.responses.create({
      ...request,
      input: [asked, ...(call?.type === 'function_call' ? [call] : []), result],
    });
    expect(answered.output_text).toBe(text);
  });

  it('should parse structured output', async () => {
    const format = { type: 'json_schema' as const, name: 'forecast', strict: true, schema: forecastSchema };
    const { output_parsed } = await client.responses.parse({ model, input, text: { format } });
    expect(output_parsed).toEqual(forecast);
    expect(latestRequest(gateway)['text']).toEqual({ format });
  });

  it('should send images unchanged', async () => {
    const content = [
      { type: 'input_text' as const, text: 'What is this?' },
      { type: 'input_image' as const, image_url: pixelUrl, detail: 'low' as const },
    ];
    await client.responses.create({ model, input: [{ role: 'user', content }] });
    expect(latestRequest(gateway)['input']).toEqual([{ role: 'user', content }]);
  });

  it('should cancel the upstream request when it aborts a stream', async () => {
    const stream = await client.responses.create({ model, input: scripted(endlessStream), stream: true });
    await leaveEarly(stream);
    await untilCanceled(gateway);
    expect((await client.responses.create({ model, input })).output_text).toBe(text);
  });

  it.each(brokenStreams.slice(1))('should throw after $title in a stream', async ({ script }) => {
    const request = { model: nextFragileModel(), input: scripted(script) };
    const created = client.responses.create({ ...request, stream: true }).then(readAll);
    await expect(created).rejects.toBeInstanceOf(OpenAI.APIError);
    const final = client.responses.stream(request).finalResponse();
    await expect(final).rejects.toMatchObject({ message: expect.any(String) as string });
  });

  it("should receive the upstream's own error event", async () => {
    const request = {
      model: nextFragileModel(),
      input: scripted({ errorEvent: { at: 5, message: 'The server had an error' } }),
    };
    const seen = await client.responses
      .create({ ...request, stream: true })
      .then(readAll)
      .then((events) => events.at(-1))
      .catch((error: unknown) => error);
    expect(seen).toMatchObject({ message: expect.stringContaining('The server had an error') as string });
  });
});
