import { openAiDetailsOf } from '../../../../common/errors/error-response.js';
import type { MeterName } from '../../../../common/rules/meters.js';
import { eventType } from './event-type.js';
import { asRecord, type Dialect, type EventMeaning, generationProtocol } from './dialect.js';

const usageFields = new Map<string, MeterName>([
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
  ['input_tokens_details.cached_tokens', 'cachedInputTokens'],
  ['input_tokens_details.cache_write_tokens', 'cacheWriteTokens'],
  ['output_tokens_details.reasoning_tokens', 'reasoningTokens'],
]);

const progress: EventMeaning = { namesModel: true };
const text: EventMeaning = { textKey: Buffer.from('"delta"') };
const other: EventMeaning = {};

/** Events with the whole response, and what ends the stream. */
const meanings = new Map<string, EventMeaning>([
  ['response.created', progress],
  ['response.queued', progress],
  ['response.in_progress', progress],
  ['response.completed', { end: 'complete', namesModel: true, reports: true }],
  ['response.incomplete', { end: 'complete', namesModel: true, reports: true }],
  ['response.failed', { end: 'failed', namesModel: true, reports: true }],
  ['error', { end: 'failed' }],
]);

/** OpenAI's responses. */
export const responses: Dialect = {
  route: 'responses',
  protocol: generationProtocol('/responses', 'openai', usageFields),
  outputLimitFields: ['max_output_tokens'],
  choiceFields: [],
  asksForUsage: false,
  storesByDefault: true,
  accountFields: ['previous_response_id', 'conversation', 'prompt'],
  media: new Map([
    ['input.content.image_url', 'image'],
    ['input.content.file_data', 'file'],
    ['input.content.file_url', 'file'],
    ['input.content.file_id', 'file'],
    ['input.content.input_audio.data', 'audio'],
    ['input.output.image_url', 'image'],
    ['input.output.file_data', 'file'],
  ]),
  modelPath: 'response.model',
  interpret: (event) => {
    const type = eventType(event);
    if (type.endsWith('.delta')) return text;
    return meanings.get(type) ?? other;
  },
  usageIn: ({ response }) => asRecord(response).usage,
  isError: () => false,
  isUsageOnly: () => false,
  isFinal: ({ response }) => asRecord(asRecord(response).usage).output_tokens !== undefined,
  errorEvent: (error, { position }) => {
    const { message, type, param, code } = openAiDetailsOf(error);
    // Clients of the specification read the fields beside `error`, OpenAI's own throw for `error`.
    const data = {
      type: 'error',
      code,
      message,
      param,
      sequence_number: position,
      error: { message, type, param, code },
    };
    return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
  },
};
