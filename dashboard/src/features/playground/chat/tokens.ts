import { countAt } from './read-fields.js';

/** Reported amounts. Cached, written and reasoning tokens are part of `input` and `output`. */
export interface Tokens {
  input?: number | undefined;
  cachedInput?: number | undefined;
  cacheWrite?: number | undefined;
  /** Part of `cacheWrite`. */
  cacheWrite1h?: number | undefined;
  output?: number | undefined;
  reasoning?: number | undefined;
}

/** Reads the `usage` of chat and text completions. */
export function readCompletionTokens(usage: unknown): Tokens {
  return {
    input: countAt(usage, 'prompt_tokens'),
    cachedInput: countAt(usage, 'prompt_tokens_details', 'cached_tokens'),
    cacheWrite: countAt(usage, 'prompt_tokens_details', 'cache_write_tokens'),
    output: countAt(usage, 'completion_tokens'),
    reasoning: countAt(usage, 'completion_tokens_details', 'reasoning_tokens'),
  };
}

/** Reads the `usage` of OpenAI's responses. */
export function readResponseTokens(usage: unknown): Tokens {
  return {
    input: countAt(usage, 'input_tokens'),
    cachedInput: countAt(usage, 'input_tokens_details', 'cached_tokens'),
    cacheWrite: countAt(usage, 'input_tokens_details', 'cache_write_tokens'),
    output: countAt(usage, 'output_tokens'),
    reasoning: countAt(usage, 'output_tokens_details', 'reasoning_tokens'),
  };
}

/** Reads the `usage` of Anthropic's messages, whose `input_tokens` exclude cached ones. */
export function readMessageTokens(usage: unknown): Tokens {
  const uncached = countAt(usage, 'input_tokens');
  const cachedInput = countAt(usage, 'cache_read_input_tokens');
  const cacheWrite = countAt(usage, 'cache_creation_input_tokens');
  return {
    input: uncached === undefined ? undefined : uncached + (cachedInput ?? 0) + (cacheWrite ?? 0),
    cachedInput,
    cacheWrite,
    cacheWrite1h: countAt(usage, 'cache_creation', 'ephemeral_1h_input_tokens'),
    output: countAt(usage, 'output_tokens'),
    reasoning: countAt(usage, 'output_tokens_details', 'thinking_tokens'),
  };
}
