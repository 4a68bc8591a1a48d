import { scripted, type Script } from '../../setup/generation-upstream/script.js';
import { mistralClients } from '../client-versions.js';
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

// Mistral's servers report usage without being asked.
const gateway = useClientGateway({ streamUsage: 'always' });

describe.each(mistralClients)("The $version client's chat", ({ Mistral }) => {
  let client: InstanceType<typeof Mistral>;
  beforeAll(() => {
    client = new Mistral({
      serverURL: gateway.url,
      apiKey: gateway.apiKey.key,
      retryConfig: { strategy: 'none' },
    });
  });
  const request = (content: string, model = 'mini') => ({ model, messages: [{ role: 'user' as const, content }] });
  const stream = (script: Script, model?: string) => client.chat.stream(request(scripted(script), model));

  it('should complete, and report usage', async () => {
    const { choices, usage, model } = await client.chat.complete(request(scripted({ input: 40 })));
    expect(model).toBe('mini');
    expect(choices?.[0]).toMatchObject({ message: { content: text }, finishReason: 'stop' });
    expect([usage.promptTokens, usage.completionTokens]).toEqual([40, 8]);
  });

  it('should stream, with usage in the last chunk', async () => {
    const chunks = await readAll(await stream({ usage: 'lastChoice', input: 40 }));
    const contents = chunks.map(({ data }) => data.choices[0]?.delta.content);
    expect(contents.map((content) => (typeof content === 'string' ? content : '')).join('')).toBe(text);
    expect(chunks.at(-1)?.data.usage).toMatchObject({ promptTokens: 40, completionTokens: 8 });
  });

  it('should call tools', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'forecast', parameters: forecastSchema } }];
    const { choices } = await client.chat.complete({ ...request('The weather in Paris?'), tools });
    const call = choices?.[0]?.message?.toolCalls?.[0]?.function;
    expect(call?.name).toBe('forecast');
    expect(typeof call?.arguments === 'string' ? JSON.parse(call.arguments) : call?.arguments).toEqual(forecast);
  });

  it('should ask for structured output, and send images', async () => {
    const jsonSchema = { name: 'forecast', schemaDefinition: forecastSchema, strict: true };
    const content = [
      { type: 'text' as const, text: 'The weather here?' },
      { type: 'image_url' as const, imageUrl: pixelUrl },
    ];
    const { choices } = await client.chat.complete({
      model: 'mini',
      messages: [{ role: 'user', content }],
      responseFormat: { type: 'json_schema', jsonSchema },
    });
    const answer = choices?.[0]?.message?.content;
    expect(JSON.parse(typeof answer === 'string' ? answer : '')).toEqual(forecast);
    expect(JSON.stringify(latestRequest(gateway))).toContain(pixelUrl);
  });

  it('should cancel the upstream request when it aborts a stream', async () => {
    const controller = new AbortController();
    const fetchOptions = { signal: controller.signal };
    const events = await client.chat.stream(request(scripted(endlessStream)), { fetchOptions });
    await leaveEarly(events, () => controller.abort()).catch(() => undefined);
    await untilCanceled(gateway);
    expect((await client.chat.complete(request('Hello'))).choices).toHaveLength(1);
  });

  it.each(brokenStreams)('should throw after $title in a stream', async ({ script }) => {
    await expect(stream(script, nextFragileModel()).then(readAll)).rejects.toThrow();
  });
});
