import type { GenerationRoute } from '@rules/tasks.js';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Parameters that are left out of requests unless they are set. */
export interface GenerationParameters {
  temperature?: number | undefined;
  topP?: number | undefined;
  maxOutputTokens?: number | undefined;
}

/** A request for generated text, independent of the route. */
export interface GenerationRequest extends GenerationParameters {
  model: string;
  /** Empty without one. */
  system: string;
  /** The conversation so far; the last message is the user's. */
  messages: readonly ChatMessage[];
}

export type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly [field: string]: JsonValue };
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** The version of Anthropic's API, for the `anthropic-version` header. */
export const anthropicVersion = '2023-06-01';

/**
 * For the routes that don't default to the model's maximum: Anthropic requires a limit, and text completions default to
 * 16 tokens.
 */
const defaultOutputTokens = 1024;

/** The output limit of requests that set none; undefined for the model's maximum. */
export function defaultOutputLimit(route: GenerationRoute): number | undefined {
  return route === 'messages' || route === 'completions' ? defaultOutputTokens : undefined;
}

const bodies: Readonly<Record<GenerationRoute, (request: GenerationRequest) => JsonObject>> = {
  'chat/completions': ({ model, system, messages, maxOutputTokens, ...parameters }) => ({
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages.map(toJson)],
    ...keepSet({ max_completion_tokens: maxOutputTokens, ...sampling(parameters) }),
  }),
  completions: ({ model, messages, maxOutputTokens = defaultOutputTokens, ...parameters }) => ({
    model,
    prompt: messages.at(-1)?.content ?? '',
    ...keepSet({ max_tokens: maxOutputTokens, ...sampling(parameters) }),
  }),
  responses: ({ model, system, messages, maxOutputTokens, ...parameters }) => ({
    model,
    ...(system !== '' && { instructions: system }),
    input: messages.map(toJson),
    ...keepSet({ max_output_tokens: maxOutputTokens, ...sampling(parameters) }),
  }),
  messages: ({ model, system, messages, maxOutputTokens = defaultOutputTokens, ...parameters }) => ({
    model,
    max_tokens: maxOutputTokens,
    ...(system !== '' && { system }),
    messages: messages.map(toJson),
    ...keepSet(sampling(parameters)),
  }),
};

/** Returns the body of a request to this route. Text completions get only the last message. */
export function toBody(route: GenerationRoute, request: GenerationRequest): JsonObject {
  return bodies[route](request);
}

const toJson = ({ role, content }: ChatMessage) => ({ role, content });

const sampling = ({ temperature, topP }: GenerationParameters) => ({ temperature, top_p: topP });

function keepSet(fields: Record<string, number | undefined>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
