import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { scripted } from '../../setup/generation-upstream/script.js';
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
const prompt = 'Write a few words.';
const forecastTool = {
  type: 'function' as const,
  function: { name: 'forecast', description: 'Returns the forecast.', parameters: forecastSchema },
};

const settings = (model: string) => ({ model, apiKey: gateway.apiKey.key, maxRetries: 0 });
const openAi = (useResponsesApi: boolean, model = 'mini') =>
  new ChatOpenAI({ ...settings(model), useResponsesApi, configuration: { baseURL: `${gateway.url}/v1` } });
const chats = [
  { route: 'chat/completions', create: (model?: string) => openAi(false, model) },
  { route: 'responses', create: (model?: string) => openAi(true, model) },
  {
    route: 'messages',
    create: (model = 'mini') =>
      new ChatAnthropic({ ...settings(model), maxTokens: 1000, anthropicApiUrl: gateway.url }),
  },
];

describe.each(chats)('LangChain with $route', ({ create }) => {
  it('should get the same message as JSON and as a stream', async () => {
    const message = await create().invoke(scripted({ input: 40, cachedInput: 10 }));
    expect(message.text).toBe(text);
    expect(message.usage_metadata).toMatchObject({
      input_tokens: 40,
      output_tokens: 8,
      input_token_details: { cache_read: 10 },
    });
    const chunks = await readAll(await create().stream(prompt));
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
  });

  it('should call tools', async () => {
    const { tool_calls } = await create().bindTools([forecastTool]).invoke(prompt);
    expect(tool_calls).toMatchObject([{ name: 'forecast', args: forecast }]);
  });

  it('should parse structured output', async () => {
    const schema = { title: 'forecast', ...forecastSchema };
    expect(await create().withStructuredOutput<typeof forecast>(schema).invoke(prompt)).toEqual(forecast);
  });

  it('should send images', async () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: pixelUrl } },
    ];
    await create().invoke([{ role: 'user', content }]);
    expect(JSON.stringify(latestRequest(gateway))).toContain(pixelUrl.split(',')[1]);
  });

  it('should cancel the upstream request when it aborts a stream', async () => {
    const controller = new AbortController();
    const stream = await create().stream(scripted(endlessStream), { signal: controller.signal });
    await leaveEarly(stream, () => controller.abort()).catch(() => undefined);
    await untilCanceled(gateway);
    expect((await create().invoke(prompt)).text).toBe(text);
  });

  it.each(brokenStreams)('should throw after $title in a stream', async ({ script }) => {
    await expect(create(nextFragileModel()).stream(scripted(script)).then(readAll)).rejects.toThrow();
  });
});
