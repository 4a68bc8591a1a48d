import type { GenerationRoute } from '@rules/tasks.js';
import type { JsonObject } from './generation-request.js';
import { toPythonArguments } from './literals.js';

interface PythonSample {
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
    'for chunk in stream:',
    '    for choice in chunk.choices:',
    '        print(choice.delta.content or "", end="", flush=True)',
  ],
  completions: [
    'for chunk in stream:',
    '    for choice in chunk.choices:',
    '        print(choice.text, end="", flush=True)',
  ],
  responses: [
    'for event in stream:',
    '    if event.type == "response.output_text.delta":',
    '        print(event.delta, end="", flush=True)',
  ],
};

/** A program that prints the response with OpenAI's client while it streams. */
export function openAiPython(route: OpenAiRoute, { origin, apiKey, body }: PythonSample): string {
  return [
    '# pip install openai',
    ...importsOf(apiKey),
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${JSON.stringify(`${origin}/v1`)},`,
    `    api_key=${keyOf(apiKey)},`,
    ')',
    `stream = client.${methods[route]}(`,
    ...toPythonArguments({ ...body, stream: true }, '    '),
    ')',
    ...printing[route],
  ].join('\n');
}

/** A program that prints the response with Anthropic's client while it streams. */
export function anthropicPython({ origin, apiKey, body }: PythonSample): string {
  return [
    '# pip install anthropic',
    ...importsOf(apiKey),
    'from anthropic import Anthropic',
    '',
    'client = Anthropic(',
    `    base_url=${JSON.stringify(origin)},`,
    `    api_key=${keyOf(apiKey)},`,
    ')',
    'with client.messages.stream(',
    ...toPythonArguments(body, '    '),
    ') as stream:',
    '    for text in stream.text_stream:',
    '        print(text, end="", flush=True)',
  ].join('\n');
}

const importsOf = (apiKey: string | undefined) => (apiKey === undefined ? ['import os', ''] : []);

const keyOf = (apiKey: string | undefined) =>
  apiKey === undefined ? 'os.environ["KEYCARD_API_KEY"]' : JSON.stringify(apiKey);
