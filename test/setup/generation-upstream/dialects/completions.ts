import { interleave, type StreamEvent, toEvent } from '../events.js';
import type { Choice, Plan } from '../plan.js';
import { asksForUsage, type DialectResponse, sendsUsageChunk, usageOf } from './chat-completions.js';

const shared = { id: 'cmpl-1', object: 'text_completion', created: 1_770_933_892 };
const finishReasons = { stop: 'stop', length: 'length', tool: 'stop' };

/** OpenAI's oldest route, which has neither tools nor visible reasoning. */
export const completions: DialectResponse = {
  body: (plan) => ({
    ...shared,
    model: plan.request.model,
    choices: plan.choices.map((choice, index) => ({
      index,
      text: choice.pieces.join(''),
      logprobs: logprobsOf(plan, choice.pieces),
      finish_reason: finishReasons[choice.finish],
    })),
    ...(plan.script.usage !== 'never' && { usage: usageOf(plan.counts) }),
  }),
  events: (plan) => {
    const { choices, counts } = plan;
    const usageEvent = chunk(plan, [], usageOf(counts), { reportsUsage: true });
    return [
      ...interleave(choices.map((choice, index) => tokensOf(plan, choice, index))),
      ...choices.map(({ finish }, index) => {
        return chunk(plan, [{ index, text: '', logprobs: null, finish_reason: finishReasons[finish] }]);
      }),
      ...(sendsUsageChunk(plan) ? [usageEvent] : []),
      toEvent('[DONE]'),
    ];
  },
};

function tokensOf(plan: Plan, { pieces }: Choice, index: number): StreamEvent[] {
  const hidden = index === 0 ? plan.counts.reasoning : 0;
  return pieces.map((text, place) => {
    const reasoning = place === 0 ? hidden : 0;
    const choice = { index, text, logprobs: logprobsOf(plan, [text]), finish_reason: null };
    return chunk(plan, [choice], null, { output: 1 + reasoning, reasoning });
  });
}

function chunk(plan: Plan, choices: object[], usage: object | null = null, generated = {}): StreamEvent {
  const hasUsage = usage !== null || (asksForUsage(plan.request) && plan.script.usage !== 'never');
  return toEvent({ ...shared, model: plan.request.model, choices, ...(hasUsage && { usage }) }, generated);
}

function logprobsOf({ hasLogprobs }: Plan, tokens: string[]): object | null {
  if (!hasLogprobs) return null;
  return {
    tokens,
    token_logprobs: tokens.map(() => -0.25),
    top_logprobs: tokens.map((token) => ({ [token]: -0.25 })),
    text_offset: tokens.map((_, place) => place),
  };
}
