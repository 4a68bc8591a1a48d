import { quoteForShell } from '../../../lib/quote-for-shell.js';
import type { Snippet } from '../../../ui/snippet.js';

export interface SnippetOptions {
  /** The URL of the service, such as `https://keycard.example.com`. */
  origin: string;
  apiKey: string;
  /** An embeddings model; without one, the snippets list the models. */
  model: string | undefined;
}

const text = 'Hello, world';

/** Creates code snippets of a first request, ready to run, and the lines of an `.env` file. */
export function createSnippets(options: SnippetOptions): Snippet[] {
  return [
    { language: 'curl', code: curlCommand(options) },
    { language: 'Node.js', code: nodeProgram(options) },
    { language: 'Python', code: pythonProgram(options) },
    { language: '.env', code: environmentFile(options) },
  ];
}

/** The variables that the OpenAI clients read. */
export function environmentFile({ origin, apiKey }: Omit<SnippetOptions, 'model'>): string {
  return ['# Read by the OpenAI clients', `OPENAI_BASE_URL=${origin}/v1`, `OPENAI_API_KEY=${apiKey}`].join('\n');
}

/** The variables that the Anthropic clients read. */
export function anthropicEnvironmentFile({ origin, apiKey }: Omit<SnippetOptions, 'model'>): string {
  return ['# Read by the Anthropic clients', `ANTHROPIC_BASE_URL=${origin}`, `ANTHROPIC_API_KEY=${apiKey}`].join('\n');
}

function curlCommand({ origin, apiKey, model }: SnippetOptions): string {
  const authorization = `-H ${quoteForShell(`Authorization: Bearer ${apiKey}`)}`;
  if (model === undefined) return `curl ${quoteForShell(`${origin}/v1/models`)} \\\n  ${authorization}`;
  return [
    `curl ${quoteForShell(`${origin}/v1/embeddings`)}`,
    authorization,
    `-H 'Content-Type: application/json'`,
    `-d ${quoteForShell(JSON.stringify({ model, input: text }))}`,
  ].join(' \\\n  ');
}

function nodeProgram({ origin, apiKey, model }: SnippetOptions): string {
  const request =
    model === undefined
      ? ['const { data } = await client.models.list();', 'console.log(data);']
      : [
          'const { data } = await client.embeddings.create({',
          `  model: ${quote(model)},`,
          `  input: ${quote(text)},`,
          '});',
          'console.log(data[0].embedding);',
        ];
  return [
    '// npm install openai',
    'import OpenAI from "openai";',
    '',
    'const client = new OpenAI({',
    `  baseURL: ${quote(`${origin}/v1`)},`,
    `  apiKey: ${quote(apiKey)},`,
    '});',
    ...request,
  ].join('\n');
}

function pythonProgram({ origin, apiKey, model }: SnippetOptions): string {
  const request =
    model === undefined
      ? ['print(client.models.list().data)']
      : [
          'response = client.embeddings.create(',
          `    model=${quote(model)},`,
          `    input=${quote(text)},`,
          ')',
          'print(response.data[0].embedding)',
        ];
  return [
    '# pip install openai',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${quote(`${origin}/v1`)},`,
    `    api_key=${quote(apiKey)},`,
    ')',
    ...request,
  ].join('\n');
}

/** Returns a string literal valid in JavaScript and Python. */
export function quote(value: string): string {
  return JSON.stringify(value);
}
