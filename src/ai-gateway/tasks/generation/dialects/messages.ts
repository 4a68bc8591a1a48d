import { toAnthropicError } from '../../../../common/errors/anthropic-error.js';
import type { MeterAmounts, MeterName } from '../../../../common/rules/meters.js';
import type { UpstreamProtocol } from '../../../upstreams/upstream-protocol.js';
import { asRecord, type Dialect, type EventMeaning, generationProtocol } from './dialect.js';
import { eventType } from './event-type.js';

const usageFields = new Map<string, MeterName>([
  ['input_tokens', 'inputTokens'],
  ['cache_read_input_tokens', 'cachedInputTokens'],
  ['cache_creation_input_tokens', 'cacheWriteTokens'],
  ['cache_creation.ephemeral_1h_input_tokens', 'cacheWrite1hTokens'],
  ['output_tokens', 'outputTokens'],
  ['output_tokens_details.thinking_tokens', 'reasoningTokens'],
]);

/** Anthropic reports cached tokens separately. Keycard counts them as input tokens, too. */
function addCachedTokens(usage: MeterAmounts): void {
  const { inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  usage.inputTokens = inputTokens + cachedInputTokens + cacheWriteTokens;
}

const text: EventMeaning = { textKey: Buffer.from('"delta"') };
const other: EventMeaning = {};
const meanings = new Map<string, EventMeaning>([
  ['message_start', { namesModel: true, reports: true }],
  ['content_block_start', { textKey: Buffer.from('"content_block"') }],
  ['content_block_delta', text],
  ['message_delta', { reports: true }],
  ['message_stop', { end: 'complete' }],
  ['error', { end: 'failed' }],
]);

/** Anthropic's messages. */
export const messages: Dialect = {
  route: 'messages',
  protocol: generationProtocol('/messages', 'anthropic', usageFields, addCachedTokens),
  outputLimitFields: ['max_tokens'],
  reservedOutputField: 'thinking.budget_tokens',
  choiceFields: [],
  asksForUsage: false,
  storesByDefault: false,
  accountFields: [],
  media: new Map([
    ['messages.content.source.data', 'image'],
    ['messages.content.source.url', 'image'],
    ['messages.content.source.file_id', 'image'],
    ['messages.content.content.source.data', 'image'],
    ['messages.content.content.source.url', 'image'],
    ['messages.content.content.source.file_id', 'image'],
  ]),
  modelPath: 'message.model',
  interpret: (event) => meanings.get(eventType(event)) ?? other,
  // `message_start` has what the input cost; `message_delta` has totals, not differences.
  // The output in `message_start` is only the beginning, so a stream without the other has no complete report.
  usageIn: ({ usage, message }) => usage ?? { ...asRecord(asRecord(message).usage), output_tokens: undefined },
  isError: () => false,
  isUsageOnly: () => false,
  // There may be several, and only the last one says why the model has stopped.
  isFinal: ({ type, delta }) => type === 'message_delta' && typeof asRecord(delta).stop_reason === 'string',
  errorEvent: (error, { requestId }) => `event: error\ndata: ${JSON.stringify(toAnthropicError(error, requestId))}\n\n`,
};

/** Counts the tokens of a message without generating anything, for free. */
export const countTokens: UpstreamProtocol = {
  ...generationProtocol('/messages/count_tokens', 'anthropic', new Map()),
  isFree: true,
};
