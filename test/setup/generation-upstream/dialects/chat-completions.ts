import { interleave, type StreamEvent, toEvent } from '../events.js';
import type { Choice, Plan, TokenCounts } from '../plan.js';

/** What the upstream says of one request. */
export interface DialectResponse {
  body: (plan: Plan) => object;
  events: (plan: Plan) => StreamEvent[];
}

const shared = { id: 'chatcmpl-1', created: 1_770_933_892, service_tier: 'default', system_fingerprint: 'fp_1' };
const finishReasons = { stop: 'stop', length: 'length', tool: 'tool_calls' };

export const chatCompletions: DialectResponse = {
  body: (plan) => ({
    ...shared,
    object: 'chat.completion',
    model: plan.request.model,
    choices: plan.choices.map((choice, index) => ({
      index,
      message: toMessage(choice),
      logprobs: logprobsOf(plan, choice.pieces),
      finish_reason: finishReasons[choice.finish],
    })),
    ...(plan.script.usage !== 'never' && { usage: usageOf(plan.counts) }),
  }),
  events: (plan) => {
    const { counts, script, choices } = plan;
    const reportsInLastChoice = script.usage === 'lastChoice';
    const usageEvent = chunk(plan, [], usageOf(counts), { reportsUsage: true });
    return [
      ...(script.isAzure ? [azureStart] : []),
      ...choices.map((_, index) => choiceChunk(plan, index, { role: 'assistant', content: '', refusal: null })),
      ...interleave(choices.map((choice, index) => tokensOf(plan, choice, index))),
      ...choices.map((choice, index) => {
        const choices = [{ index, delta: {}, logprobs: null, finish_reason: finishReasons[choice.finish] }];
        const isReport = reportsInLastChoice && index === plan.choices.length - 1;
        return chunk(plan, choices, isReport ? usageOf(counts) : null, { reportsUsage: isReport });
      }),
      ...(sendsUsageChunk(plan) ? [usageEvent] : []),
      toEvent('[DONE]'),
    ];
  },
};

/** Whether a stream ends with a chunk that has usage and no choices. */
export function sendsUsageChunk({ request, script }: Plan): boolean {
  return script.usage === 'always' || ((script.usage ?? 'asked') === 'asked' && asksForUsage(request));
}

export const asksForUsage = ({ stream_options }: Plan['request']) => stream_options?.include_usage === true;

/** Usage in the format of OpenAI's older routes. */
export function usageOf({ input, cachedInput, cacheWrite, output, reasoning }: TokenCounts) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

const azureStart = toEvent({
  choices: [],
  created: 0,
  id: '',
  model: '',
  object: '',
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
});

function toMessage({ pieces, tool, reasoning }: Choice): object {
  const text = pieces.join('');
  const call = tool && [{ id: tool.id, type: 'function', function: { name: tool.name, arguments: text } }];
  return {
    role: 'assistant',
    content: tool ? null : text,
    refusal: null,
    ...(call && { tool_calls: call }),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
  };
}

function tokensOf(plan: Plan, { reasoning, pieces, tool }: Choice, index: number): StreamEvent[] {
  const hidden = plan.counts.reasoning > 0 && reasoning.length === 0 && index === 0 ? plan.counts.reasoning : 0;
  const thoughts = reasoning.map((piece) => {
    return choiceChunk(plan, index, { reasoning_content: piece }, { output: 1, reasoning: 1 });
  });
  const texts = pieces.map((piece, place) => {
    const opening = place === 0 && { id: tool?.id, type: 'function' };
    const details = { ...(place === 0 && { name: tool?.name }), arguments: piece };
    const delta = tool ? { tool_calls: [{ index: 0, ...opening, function: details }] } : { content: piece };
    const reasoning = place === 0 ? hidden : 0;
    return choiceChunk(plan, index, delta, { output: 1 + reasoning, reasoning }, logprobsOf(plan, [piece]));
  });
  return [...thoughts, ...texts];
}

type Generated = Parameters<typeof toEvent>[1];

function choiceChunk(plan: Plan, index: number, delta: object, generated: Generated = {}, logprobs: unknown = null) {
  return chunk(plan, [{ index, delta, logprobs, finish_reason: null }], null, generated);
}

function chunk(plan: Plan, choices: object[], usage: object | null, generated: Generated = {}): StreamEvent {
  const leavesItOut = plan.script.usage === 'never' || plan.script.usage === 'lastChoice';
  const hasUsage = usage !== null || (asksForUsage(plan.request) && !leavesItOut);
  const isObfuscated = plan.request.stream_options?.include_obfuscation !== false;
  const data = {
    ...shared,
    object: 'chat.completion.chunk',
    model: plan.request.model,
    choices,
    ...(hasUsage && { usage }),
    ...(isObfuscated && { obfuscation: 'Qup1BsQ3' }),
  };
  return toEvent(data, generated);
}

function logprobsOf({ hasLogprobs }: Plan, pieces: string[]): object | null {
  if (!hasLogprobs) return null;
  const content = pieces.map((token) => {
    const entry = { token, logprob: -0.25, bytes: [...Buffer.from(token)] };
    return { ...entry, top_logprobs: [entry] };
  });
  return { content, refusal: null };
}
