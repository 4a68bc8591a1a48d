import type { ServerResponse } from 'node:http';
import type { GenerationRoute } from '../../src/common/rules/tasks.js';
import type { ModelDefinition, UpstreamTarget } from '../../src/config/model-definition.js';
import type { Gateway } from './gateway.js';
import { upstreamModel } from './upstream.js';

/** Returns a model `small` that generates text, named `remote-small` upstream, for all routes. */
export function generationModel(
  targets: (Pick<UpstreamTarget, 'baseUrl'> & Partial<UpstreamTarget>)[],
  fields: Partial<ModelDefinition> = {},
): ModelDefinition {
  const routes = ['chat/completions', 'completions', 'responses', 'messages'] as const;
  return upstreamModel(targets, { task: 'generation', routes, maxOutputTokens: 1000, ...fields });
}

/** Posts a body to a route for text generation, unchanged if it is text. */
export function generate(
  { url, key }: Pick<Gateway, 'url' | 'key'>,
  route: GenerationRoute | 'messages/count_tokens',
  body: object | string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${url}/v1/${route}`, {
    ...init,
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(init.headers as Record<string, string>),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Begins a stream of events. */
export function beginEvents(response: ServerResponse, ...events: string[]): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(event);
  return response;
}

/** Reads the chunks of a response one by one. */
export function readChunks(response: Response): { next: () => Promise<string>; rest: () => Promise<string> } {
  if (response.body === null) throw new Error('The response has no body.');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const next = async () => {
    const { value } = (await reader.read()) as { value: Uint8Array | undefined };
    return value === undefined ? '' : decoder.decode(value, { stream: true });
  };
  const rest = async () => {
    let text = '';
    for (let chunk = await next(); chunk !== ''; chunk = await next()) text += chunk;
    return text;
  };
  return { next, rest };
}

const chunk = (model: string, choices: string, more = '') =>
  `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"${model}","choices":${choices}${more}}\n\n`;

/** Events of OpenAI's chat completions. */
export const chatEvents = {
  text: (model: string, text: string) =>
    chunk(model, `[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]`),
  usage: (model: string, input: number, output: number) =>
    chunk(
      model,
      '[]',
      `,"usage":{"prompt_tokens":${input},"completion_tokens":${output},"total_tokens":${input + output}}`,
    ),
  done: 'data: [DONE]\n\n',
};
