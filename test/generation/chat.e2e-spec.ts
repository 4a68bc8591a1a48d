import type { ServerResponse } from 'node:http';
import type { ModelDefinition, UpstreamTarget } from '../../src/config/model-definition.js';
import type { Gateway } from '../setup/gateway.js';
import { useGateway } from '../setup/gateway.js';
import { readAmounts } from '../setup/recorded-amounts.js';
import {
  type ReceivedRequest,
  respondWithJson,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';

/** Returns a model `small` that generates text, named `remote-small` upstream. */
function generationModel(
  targets: (Pick<UpstreamTarget, 'baseUrl'> & Partial<UpstreamTarget>)[],
  fields: Partial<ModelDefinition> = {},
): ModelDefinition {
  return upstreamModel(targets, { task: 'generation', maxOutputTokens: 1000, ...fields });
}

const post = (gateway: Gateway, body: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const usage =
  '"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}';
const chunk = (model: string, choices: string, rest = '') =>
  `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"${model}","choices":${choices}${rest}}\n\n`;
const delta = (text: string) => `[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]`;
const streamOf = (model: string, withUsage: boolean) =>
  [
    `data: {"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[]}\n\n`,
    chunk(model, delta('Hello'), withUsage ? ',"usage":null' : ''),
    chunk(model, delta(' \\"usage\\": world'), withUsage ? ',"usage":null' : ''),
    ...(withUsage ? [chunk(model, '[]', `,${usage}`)] : []),
    'data: [DONE]\n\n',
  ].join('');

describe('POST /v1/chat/completions', () => {
  let upstream: Upstream;
  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    return [generationModel([upstream])];
  });
  afterAll(() => upstream.stop());
  const events = (response: ServerResponse, text: string) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
  const respondToChat = (response: ServerResponse, { body }: ReceivedRequest) => {
    const { stream, stream_options: options } = JSON.parse(String(body)) as {
      stream?: boolean;
      stream_options?: { include_usage?: boolean };
    };
    if (stream === true) events(response, streamOf('remote-small', options?.include_usage === true));
    else respondWithJson(response, 200, `{"id":"c1","model":"remote-small","choices":[],${usage}}`);
  };

  it("should forward a request byte for byte except for the model's name, and record its usage", async () => {
    upstream.respond = respondToChat;
    const response = await post(gateway, { model: 'small', messages: [], seed: 1.0 });
    expect(await response.text()).toBe(`{"id":"c1","model":"small","choices":[],${usage}}`);
    expect(upstream.requests.at(-1)?.body?.toString()).toBe('{"model":"remote-small","messages":[],"seed":1}');
    const used = { inputTokens: 9, cachedInputTokens: 4, outputTokens: 2, reasoningTokens: 1 };
    expect(await readAmounts(gateway, 'small')).toEqual({ requests: 1, failures: 0, ...used });
  });

  it('should stream what the upstream sends, without the usage that the client did not ask for', async () => {
    upstream.respond = respondToChat;
    const response = await post(gateway, { model: 'small', messages: [], stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(
      streamOf('small', true)
        .replace('"model":"","choices"', '"model":"small","choices"')
        .replace(/data: [^\n]*"prompt_tokens"[^\n]*\n\n/, ''),
    );
  });
});
