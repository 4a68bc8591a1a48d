import { scripted } from '../../setup/generation-upstream/script.js';
import { aiSdks } from '../client-versions.js';
import {
  brokenStreams,
  endlessStream,
  forecast,
  forecastSchema,
  latestRequest,
  nextFragileModel,
  pixel,
  text,
  untilCanceled,
  useClientGateway,
} from './cases.js';

const gateway = useClientGateway();
const prompt = 'Write a few words.';

const routes = ['chat', 'responses', 'messages', 'completion'] as const;
const versions = aiSdks.flatMap((sdk) => routes.map((route) => ({ ...sdk, route })));

describe.each(versions)('$route of the $version SDK', ({ ai, createOpenAI, createAnthropic, route }) => {
  // The SDK prints warnings about models that it doesn't know.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const settings = () => ({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey.key });
  const modelOf = (id: string) =>
    route === 'messages' ? createAnthropic(settings())(id) : createOpenAI(settings())[route](id);
  const common = (id = 'mini') => ({ model: modelOf(id), maxRetries: 0, maxOutputTokens: 1000 });
  /** Streams, and returns the text, the errors and the reason for the end. */
  const streamText = async (id: string, script: Parameters<typeof scripted>[0]) => {
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    const result = ai.streamText({ ...common(id), prompt: scripted(script), onError });
    let streamed = '';
    for await (const piece of result.textStream) streamed += piece;
    const finishReason = await Promise.resolve(result.finishReason).catch(() => 'error');
    const usage = await Promise.resolve(result.usage).catch(() => undefined);
    return { streamed, errors, finishReason, usage };
  };

  it('should generate the same text as JSON and as a stream', async () => {
    const script = { input: 40, cachedInput: 10 };
    const whole = await ai.generateText({ ...common(), prompt: scripted(script) });
    expect([whole.text, whole.usage.inputTokens, whole.usage.outputTokens]).toEqual([text, 40, 8]);
    const { streamed, finishReason, usage, errors } = await streamText('mini', script);
    expect([streamed, finishReason, errors]).toEqual([text, 'stop', []]);
    expect([usage?.inputTokens, usage?.outputTokens]).toEqual([40, 8]);
  });

  it.each(brokenStreams)('should report $title in a stream as an error', async ({ script }) => {
    const { errors, finishReason } = await streamText(nextFragileModel(), script);
    expect([errors.length > 0, finishReason]).toEqual([true, 'error']);
  });

  it('should cancel the upstream request when it aborts a stream', async () => {
    const controller = new AbortController();
    const open = gateway.upstream.requests.length;
    const result = ai.streamText({ ...common(), prompt: scripted(endlessStream), abortSignal: controller.signal });
    for await (const piece of result.textStream) {
      expect(piece).not.toBe('');
      controller.abort();
    }
    await untilCanceled(gateway);
    expect(gateway.upstream.requests).toHaveLength(open + 1);
  });

  if (route === 'completion') return;

  it('should generate an object of a schema', async () => {
    const schema = ai.jsonSchema<typeof forecast>(forecastSchema);
    const { output } = await ai.generateText({ ...common(), prompt, output: ai.Output.object({ schema }) });
    expect(output).toEqual(forecast);
  });

  it('should call a tool and continue with its result', async () => {
    const inputSchema = ai.jsonSchema<typeof forecast>(forecastSchema);
    const execute = ({ city }: typeof forecast) => `Sunny in ${city}`;
    const tools = { forecast: ai.tool({ inputSchema, execute }) };
    const result = await ai.generateText({ ...common(), prompt, tools, stopWhen: ai.stepCountIs(3) });
    expect(result.text).toBe(text);
    expect(result.steps[0]?.toolResults).toMatchObject([{ input: forecast, output: 'Sunny in Paris' }]);
  });

  it('should send images', async () => {
    const image = { type: 'image' as const, image: pixel, mediaType: 'image/png' };
    const content = [{ type: 'text' as const, text: 'What is this?' }, image];
    await ai.generateText({ ...common(), messages: [{ role: 'user', content }] });
    expect(JSON.stringify(latestRequest(gateway))).toContain(pixel);
  });

  it('should report reasoning', async () => {
    const { usage } = await ai.generateText({ ...common(), prompt: scripted({ reasoning: 5 }) });
    expect(usage.outputTokens).toBe(13);
  });
});
