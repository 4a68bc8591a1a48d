import { type StreamEvent, toTypedEvent } from '../events.js';
import type { Plan, TokenCounts } from '../plan.js';
import type { DialectResponse } from './chat-completions.js';
import {
  type Emit,
  messageEvents,
  messageItem,
  reasoningEvents,
  reasoningItem,
  toolEvents,
  toolItem,
} from './response-items.js';

/** OpenAI's responses. */
export const responses: DialectResponse = {
  body: (plan) => finalResponse(plan),
  events: (plan) => {
    const events: StreamEvent[] = [];
    const emit: Emit = (type, fields, generated) => {
      events.push(toTypedEvent({ type, sequence_number: events.length, ...fields }, generated));
    };
    const started = responseWith(plan, { status: 'in_progress', output: [], usage: null });
    emit('response.created', { response: started });
    emit('response.in_progress', { response: started });
    const [choice] = plan.choices;
    if (choice !== undefined) {
      const hasReasoning = choice.reasoning.length > 0;
      if (hasReasoning) reasoningEvents(plan, choice, emit);
      const write = choice.tool ? toolEvents : messageEvents;
      write(plan, choice, hasReasoning ? 1 : 0, emit);
    }
    const response = finalResponse(plan);
    const type = choice?.finish === 'length' ? 'response.incomplete' : 'response.completed';
    emit(type, { response }, { reportsUsage: plan.script.usage !== 'never' });
    return events;
  },
};

function finalResponse(plan: Plan): object {
  const [choice] = plan.choices;
  const isCapped = choice?.finish === 'length';
  const answer = choice && (choice.tool ? toolItem(choice, 'completed') : messageItem(plan, choice, 'completed'));
  return responseWith(plan, {
    status: isCapped ? 'incomplete' : 'completed',
    incomplete_details: isCapped ? { reason: 'max_output_tokens' } : null,
    output: [...(choice && choice.reasoning.length > 0 ? [reasoningItem(choice)] : []), ...(answer ? [answer] : [])],
    usage: plan.script.usage === 'never' ? null : usageOf(plan.counts),
  });
}

function usageOf({ input, cachedInput, cacheWrite, output, reasoning }: TokenCounts) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function responseWith({ request }: Plan, fields: object): object {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_770_933_892,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: request.max_output_tokens ?? null,
    model: request.model,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    user: null,
    metadata: {},
    ...fields,
  };
}
