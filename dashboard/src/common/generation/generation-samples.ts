import type { GenerationRoute } from '@rules/tasks.js';
import { quoteForShell } from '../../lib/quote-for-shell.js';
import type { Snippet } from '../../ui/snippet.js';
import { anthropicVersion, type GenerationRequest, toBody } from './generation-request.js';
import { anthropicJavaScript, openAiJavaScript } from './javascript-samples.js';
import { anthropicPython, openAiPython } from './python-samples.js';

export interface GenerationSampleOptions {
  /** The URL of the service, such as `https://keycard.example.com`. */
  origin: string;
  /** Undefined to read it from `KEYCARD_API_KEY` in the environment. */
  apiKey: string | undefined;
  /** The routes of the model, which decide the clients that have a sample. */
  routes: readonly GenerationRoute[];
  request: GenerationRequest;
}

/** Creates code samples that stream a response: curl for the model's first route, and the clients that fit its routes. */
export function createGenerationSamples({ origin, apiKey, routes, request }: GenerationSampleOptions): Snippet[] {
  const [first] = routes;
  const openAiRoute = routes.find((route) => route !== 'messages');
  const samples: Snippet[] = [];
  if (first !== undefined) samples.push({ language: 'curl', code: curlCommand(first, { origin, apiKey, request }) });
  if (openAiRoute !== undefined) {
    const options = { origin, apiKey, body: toBody(openAiRoute, request) };
    samples.push({ language: 'OpenAI Python', code: openAiPython(openAiRoute, options) });
    samples.push({ language: 'OpenAI JavaScript', code: openAiJavaScript(openAiRoute, options) });
  }
  if (routes.includes('messages')) {
    const options = { origin, apiKey, body: toBody('messages', request) };
    samples.push({ language: 'Anthropic Python', code: anthropicPython(options) });
    samples.push({ language: 'Anthropic JavaScript', code: anthropicJavaScript(options) });
  }
  return samples;
}

function curlCommand(
  route: GenerationRoute,
  { origin, apiKey, request }: Omit<GenerationSampleOptions, 'routes'>,
): string {
  const isAnthropic = route === 'messages';
  const name = isAnthropic ? 'x-api-key: ' : 'Authorization: Bearer ';
  const body = JSON.stringify({ ...toBody(route, request), stream: true }, null, 2);
  return [
    `curl --no-buffer ${quoteForShell(`${origin}/v1/${route}`)}`,
    `-H ${apiKey === undefined ? `"${name}$KEYCARD_API_KEY"` : quoteForShell(`${name}${apiKey}`)}`,
    ...(isAnthropic ? [`-H 'anthropic-version: ${anthropicVersion}'`] : []),
    `-H 'Content-Type: application/json'`,
    `-d ${quoteForShell(body)}`,
  ].join(' \\\n  ');
}
