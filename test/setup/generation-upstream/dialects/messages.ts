import { type StreamEvent, toTypedEvent } from '../events.js';
import { type Choice, growsInput, type Plan } from '../plan.js';
import type { DialectResponse } from './chat-completions.js';

const shared = { id: 'msg_1', type: 'message', role: 'assistant' };
const stopReasons = { stop: 'end_turn', length: 'max_tokens', tool: 'tool_use' };

/** Anthropic's messages. */
export const messages: DialectResponse = {
  body: (plan) => {
    const [choice] = plan.choices;
    return {
      ...shared,
      model: plan.request.model,
      content: choice ? contentOf(choice) : [],
      stop_reason: stopReasons[choice?.finish ?? 'stop'],
      stop_sequence: null,
      ...(plan.script.usage !== 'never' && { usage: usageOf(plan) }),
    };
  },
  events: (plan) => {
    const [choice] = plan.choices;
    if (choice === undefined) return [];
    const content = blocksOf(choice, plan).flatMap((block, index) => block(index));
    const half = Math.ceil(content.length / 2);
    const { script } = plan;
    const delta = { stop_reason: stopReasons[choice.finish], stop_sequence: null };
    const isReported = script.usage !== 'never';
    const { output_tokens, output_tokens_details } = usageOf(plan);
    const usage = script.reportsOutputOnly ? { output_tokens, output_tokens_details } : usageOf(plan);
    return [
      toTypedEvent({ type: 'message_start', message: startOf(plan) }),
      ...content.slice(0, half),
      ...(script.reportsInterim && isReported ? [interimReport(content.slice(0, half))] : []),
      ...content.slice(half),
      toTypedEvent({ type: 'message_delta', delta, ...(isReported && { usage }) }, { reportsUsage: isReported }),
      toTypedEvent({ type: 'message_stop' }),
    ];
  },
};

/** Usage in Anthropic's format, whose input excludes the cache. */
function usageOf({ counts: { input, cachedInput, cacheWrite, output, reasoning } }: Plan) {
  return {
    input_tokens: input - cachedInput - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cachedInput,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
    service_tier: 'standard',
  };
}

function startOf(plan: Plan): object {
  const { request, script } = plan;
  const started = { output_tokens: 1, output_tokens_details: null };
  const usage = { ...usageOf(plan), ...started, ...(growsInput('messages', script) && { input_tokens: 1 }) };
  return {
    ...shared,
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(script.usage !== 'never' && { usage }),
  };
}

/** A `message_delta` with the usage so far. */
function interimReport(before: StreamEvent[]): StreamEvent {
  const usage = { output_tokens: before.reduce((sum, { output }) => sum + output, 0) };
  return toTypedEvent({ type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage });
}

function contentOf({ reasoning, pieces, tool, finish }: Choice): object[] {
  const text = pieces.join('');
  const thinking = { type: 'thinking', thinking: reasoning.join(''), signature: 'c2lnbmF0dXJl' };
  const answer = tool
    ? { type: 'tool_use', id: tool.id, name: tool.name, input: finish === 'length' ? {} : (JSON.parse(text) as object) }
    : { type: 'text', text };
  return [...(reasoning.length > 0 ? [thinking] : []), answer];
}

type Block = (index: number) => StreamEvent[];

function blocksOf({ reasoning, pieces, tool }: Choice, { counts }: Plan): Block[] {
  const hidden = reasoning.length === 0 ? counts.reasoning : 0;
  const start = (index: number, content_block: object) =>
    toTypedEvent({ type: 'content_block_start', index, content_block });
  const change = (index: number, delta: object, generated = {}) =>
    toTypedEvent({ type: 'content_block_delta', index, delta }, generated);
  const stop = (index: number) => toTypedEvent({ type: 'content_block_stop', index });
  const thinking: Block = (index) => [
    start(index, { type: 'thinking', thinking: '', signature: '' }),
    ...reasoning.map((piece) => {
      return change(index, { type: 'thinking_delta', thinking: piece }, { output: 1, reasoning: 1 });
    }),
    change(index, { type: 'signature_delta', signature: 'c2lnbmF0dXJl' }),
    stop(index),
  ];
  const answer: Block = (index) => [
    start(index, tool ? { type: 'tool_use', id: tool.id, name: tool.name, input: {} } : { type: 'text', text: '' }),
    ...pieces.map((piece, place) => {
      const delta = tool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece };
      const thought = place === 0 ? hidden : 0;
      return change(index, delta, { output: 1 + thought, reasoning: thought });
    }),
    stop(index),
  ];
  return reasoning.length > 0 ? [thinking, answer] : [answer];
}
