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
  type: ['boolean', 'null'],
  description: 'Whether the text is sent as events while it is generated.',
  example: false,
};

const limit = (description: string): SchemaObject => ({
  type: ['integer', 'null'],
  minimum: 0,
  description: `${description} Lowered to the most that the model can write.`,
  example: 1000,
});

const count = (description: string): SchemaObject => ({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 128,
  description,
  example: 1,
});

const streamOptions: SchemaObject = {
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'With `include_usage`, the stream reports the tokens before its end.',
  example: { include_usage: true },
};

const store: SchemaObject = {
  type: ['boolean', 'null'],
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

/** Schemas of requests, by name. */
const requests = {
  ChatCompletionRequest: body("A request in OpenAI's format of chat completions.", ['model', 'messages'], {
    model,
    messages: chatMessages,
    stream,
    stream_options: streamOptions,
    max_completion_tokens: limit('The most tokens per choice, reasoning included.'),
    max_tokens: limit('Older name of `max_completion_tokens`.'),
    n: count('Number of choices.'),
    store,
  }),
  TextCompletionRequest: body("A request in OpenAI's format of text completions.", ['model', 'prompt'], {
    model,
    prompt: {
      description: 'The text to continue, or several.',
      oneOf: [
        { type: 'string', minLength: 0 },
        { type: 'array', minItems: 1, items: { type: 'string', minLength: 0 } },
      ],
      example: 'Once upon a time',
    },
    stream,
    stream_options: streamOptions,
    max_tokens: limit('The most tokens per choice.'),
    n: count('Number of choices.'),
    best_of: count('Number of texts that are generated, of which the best `n` are returned.'),
  }),
  ResponseRequest: body("A request in OpenAI's format of responses.", ['model', 'input'], {
    model,
    input: {
      description: 'A text, or a list of items.',
      oneOf: [
        { type: 'string', minLength: 0 },
        { type: 'array', minItems: 0, items: { type: 'object', additionalProperties: true } },
      ],
      example: 'Say hello.',
    },
    stream,
    max_output_tokens: limit('The most tokens, reasoning included.'),
    store: { ...store, description: 'Upstreams always get false: what they store, all organizations would share.' },
  }),
  MessageRequest: body("A request in Anthropic's format.", ['model', 'messages'], {
    model,
    messages: chatMessages,
    stream,
    max_tokens: limit('The most tokens. Anthropic requires it.'),
  }),
};

function body(description: string, required: string[], properties: Fields): SchemaObject {
  return { type: 'object', description, required, properties, additionalProperties: true };
}

/** The schemas of requests, by route. */
export const requestSchemas: Readonly<Record<GenerationRoute, keyof typeof requests>> = {
  'chat/completions': 'ChatCompletionRequest',
  completions: 'TextCompletionRequest',
  responses: 'ResponseRequest',
  messages: 'MessageRequest',
};

const usage = (example: Record<string, number>): SchemaObject => ({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'The tokens that the request has used.',
  example,
});

const openAiUsage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
const laterUsage = { input_tokens: 12, output_tokens: 3, total_tokens: 15 };

const list = (description: string, example: object[]): SchemaObject => ({
  type: 'array',
  minItems: 0,
  items: { type: 'object', additionalProperties: true },
  description,
  example,
});

/** Schemas of requests and responses, by name. */
export const generationSchemas: Readonly<Record<string, SchemaObject>> = {
  ...requests,
  ChatCompletion: generated("A response in OpenAI's format of chat completions.", {
    choices: list('The generated choices.', [
      { index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' },
    ]),
    usage: usage(openAiUsage),
  }),
  TextCompletion: generated("A response in OpenAI's format of text completions.", {
    choices: list('The generated choices.', [{ index: 0, text: ' there was', finish_reason: 'length' }]),
    usage: usage(openAiUsage),
  }),
  GeneratedResponse: generated("A response in OpenAI's format of responses.", {
    output: list('The generated items.', [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello!' }] },
    ]),
    usage: usage(laterUsage),
  }),
  GeneratedMessage: generated("A response in Anthropic's format.", {
    content: list('The generated blocks.', [{ type: 'text', text: 'Hello!' }]),
    usage: usage({ input_tokens: 12, output_tokens: 3 }),
  }),
  MessageTokenCount: {
    type: 'object',
    required: ['input_tokens'],
    additionalProperties: true,
    description: "Number of tokens of a message, in Anthropic's format.",
    properties: {
      input_tokens: { type: 'integer', minimum: 0, description: 'Number of input tokens.', example: 12 },
    },
  },
};

function generated(description: string, properties: Fields): SchemaObject {
  const named: SchemaObject = {
    type: 'string',
    minLength: 1,
    description: 'The model, as the request has named it.',
    example: 'gpt-mini',
  };
  return { type: 'object', description, properties: { model: named, ...properties }, additionalProperties: true };
}
