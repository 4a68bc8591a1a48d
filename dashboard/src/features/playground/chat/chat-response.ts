import type { GenerationRoute } from '@rules/tasks.js';
import { readEvent } from './dialects.js';
import { readCompletionTokens, readMessageTokens, readResponseTokens, type Tokens } from './tokens.js';

/** A response as far as it has arrived. */
export interface ChatResponse {
  status: 'streaming' | 'complete' | 'stopped' | 'failed';
  text: string;
  /** The merged `usage` of all events, in the terms of the route. */
  usage: Readonly<Record<string, unknown>>;
  /** Whether it has reached its output limit. */
  isCutOff: boolean;
  /** Id of the model that served the request, if it's known. */
  servedBy?: string | undefined;
  /** Time until the first text arrived. */
  firstTextMilliseconds?: number | undefined;
  /** Time until the end. */
  milliseconds?: number | undefined;
  error?: Error | undefined;
}

export const emptyResponse: ChatResponse = { status: 'streaming', text: '', usage: {}, isCutOff: false };

const tokenReaders: Readonly<Record<GenerationRoute, (usage: unknown) => Tokens>> = {
  'chat/completions': readCompletionTokens,
  completions: readCompletionTokens,
  responses: readResponseTokens,
  messages: readMessageTokens,
};

/** The tokens that the response has reported. */
export function tokensOf(route: GenerationRoute, { usage }: Pick<ChatResponse, 'usage'>): Tokens {
  return tokenReaders[route](usage);
}

/**
 * Adds an event to a response.
 *
 * @param milliseconds since the request was sent
 * @throws Error for an event that reports a failure
 */
export function addEvent(
  response: ChatResponse,
  { route, data, milliseconds }: { route: GenerationRoute; data: string; milliseconds: number },
): ChatResponse {
  const { text = '', usage, isCutOff = false, isEnd = false, errorMessage } = readEvent(route, data);
  if (errorMessage !== undefined) throw new Error(errorMessage);
  return {
    ...response,
    text: response.text + text,
    usage: { ...response.usage, ...withoutNulls(usage) },
    isCutOff: response.isCutOff || isCutOff,
    firstTextMilliseconds: response.firstTextMilliseconds ?? (text === '' ? undefined : milliseconds),
    ...(isEnd && { status: 'complete', milliseconds }),
  };
}

/**
 * Returns how fast the text was written, in tokens per second; undefined if that wasn't measured. The first token and
 * hidden reasoning came before.
 */
export function tokensPerSecond(
  { firstTextMilliseconds, milliseconds }: ChatResponse,
  { output = 0, reasoning = 0 }: Tokens,
): number | undefined {
  if (firstTextMilliseconds === undefined || milliseconds === undefined) return undefined;
  const [tokens, duration] = [output - reasoning - 1, milliseconds - firstTextMilliseconds];
  return tokens > 0 && duration >= 1 ? (tokens / duration) * 1000 : undefined;
}

function withoutNulls(usage: unknown): Record<string, unknown> {
  if (typeof usage !== 'object' || usage === null) return {};
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}
