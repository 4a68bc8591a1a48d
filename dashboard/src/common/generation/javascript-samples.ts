import type { GenerationRoute } from '@rules/tasks.js';
import type { JsonObject } from './generation-request.js';
import { toJavaScriptFields } from './literals.js';

interface JavaScriptSample {
  origin: string;
  /** Undefined to read it from the environment. */
  apiKey: string | undefined;
  body: JsonObject;
}

type OpenAiRoute = Exclude<GenerationRoute, 'messages'>;

const methods: Readonly<Record<OpenAiRoute, string>> = {
  'chat/completions': 'chat.completions.create',
  completions: 'completions.create',
  responses: 'responses.create',
};

const printing: Readonly<Record<OpenAiRoute, string[]>> = {
  'chat/completions': [
    'for await (const chunk of stream) {',
    '  process.stdout.write(chunk.choices[0]?.delta.content ?? "");',
    '}',
  ],
  completions: ['for await (const chunk of stream) {', '  process.stdout.write(chunk.choices[0]?.text ?? "");', '}'],
  responses: [
    'for await (const event of stream) {',
    '  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);',
    '}',
  ],
};

/** A program that prints the response with OpenAI's client while it streams. */
export function openAiJavaScript(route: OpenAiRoute, { origin, apiKey, body }: JavaScriptSample): string {
  return [
    '// npm install openai',
    'import OpenAI from "openai";',
    '',
    'const client = new OpenAI({',
    `  baseURL: ${JSON.stringify(`${origin}/v1`)},`,
    `  apiKey: ${keyOf(apiKey)},`,
    '});',
    `const stream = await client.${methods[route]}({`,
    ...toJavaScriptFields({ ...body, stream: true }, '  '),
    '});',
    ...printing[route],
  ].join('\n');
}

/** A program that prints the response with Anthropic's client while it streams. */
export function anthropicJavaScript({ origin, apiKey, body }: JavaScriptSample): string {
  return [
    '// npm install @anthropic-ai/sdk',
    'import Anthropic from "@anthropic-ai/sdk";',
    '',
    'const client = new Anthropic({',
    `  baseURL: ${JSON.stringify(origin)},`,
    `  apiKey: ${keyOf(apiKey)},`,
    '});',
    'const stream = client.messages.stream({',
    ...toJavaScriptFields(body, '  '),
    '});',
    'stream.on("text", (text) => process.stdout.write(text));',
    'await stream.finalMessage();',
  ].join('\n');
}

const keyOf = (apiKey: string | undefined) =>
  apiKey === undefined ? 'process.env.KEYCARD_API_KEY' : JSON.stringify(apiKey);
