import type { SchemaObject } from '@nestjs/swagger';
import type { GenerationRoute } from '../../../common/rules/tasks.js';

/*
 * OpenAPI of the bodies. Only what Keycard reads is described: vendors add fields every month, and all others are forwarded
 * as they are.
 */

type Fields = Record<string, SchemaObject>;

const model: SchemaObject = {
  type: 'string',
  minLength: 1,
  description: 'Id or alias of the model.',
  example: 'gpt-mini',
};
const stream: SchemaObject = {
  type: 'boolean',
  nullable: true,
  description: 'Whether the text is sent as events while it is generated.',
  example: false,
};

const limit = (description: string): SchemaObject => ({
  type: 'integer',
  minimum: 0,
  nullable: true,
  description: `${description} Lowered to the most that the model can write.`,
  example: 1000,
});

const count = (description: string): SchemaObject => ({
  type: 'integer',
  minimum: 1,
  maximum: 128,
  nullable: true,
  description,
  example: 1,
});

const streamOptions: SchemaObject = {
  type: 'object',
  nullable: true,
  additionalProperties: true,
  description: 'With `include_usage`, the stream reports the tokens before its end.',
  example: { include_usage: true },
};

const store: SchemaObject = {
  type: 'boolean',
  nullable: true,
  description: 'Must not be true: what upstreams store, all organizations would share.',
  enum: [false, null],
  example: false,
};

const chatMessages: SchemaObject = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', additionalProperties: true },
  description: 'The conversation so far.',
  example: [{ role: 'user', content: 'Say hello.' }],
};

/** By route. */
export const generationBodies: Readonly<Record<GenerationRoute, SchemaObject>> = {
  'chat/completions': body(['model', 'messages'], {
    model,
    messages: chatMessages,
    stream,
    stream_options: streamOptions,
    max_completion_tokens: limit('The most tokens per choice, reasoning included.'),
    max_tokens: limit('Older name of `max_completion_tokens`.'),
    n: count('Number of choices.'),
    store,
  }),
  completions: body(['model', 'prompt'], {
    model,
    prompt: {
      description: 'The text to continue, or several.',
      oneOf: [{ type: 'string' }, { type: 'array', items: {} }],
      example: 'Once upon a time',
    },
    stream,
    stream_options: streamOptions,
    max_tokens: limit('The most tokens per choice.'),
    n: count('Number of choices.'),
    best_of: count('Number of texts that are generated, of which the best `n` are returned.'),
  }),
  responses: body(['model', 'input'], {
    model,
    input: {
      description: 'A text, or a list of items.',
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', additionalProperties: true } }],
      example: 'Say hello.',
    },
    stream,
    max_output_tokens: limit('The most tokens, reasoning included.'),
    store: { ...store, description: 'Upstreams always get false: what they store, all organizations would share.' },
  }),
  messages: body(['model', 'messages'], {
    model,
    messages: chatMessages,
    stream,
    max_tokens: limit('The most tokens. Anthropic requires it.'),
  }),
};

function body(required: string[], properties: Fields): SchemaObject {
  return { type: 'object', required, properties, additionalProperties: true };
}
