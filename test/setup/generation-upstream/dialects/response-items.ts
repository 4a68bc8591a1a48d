import type { toTypedEvent } from '../events.js';
import type { Choice, Plan } from '../plan.js';

/** Adds an event to a stream of OpenAI's responses. */
export type Emit = (type: string, fields: object, generated?: Parameters<typeof toTypedEvent>[1]) => void;

type Write = (plan: Plan, choice: Choice, place: number, emit: Emit) => void;

const messageId = 'msg_1';
const reasoningId = 'rs_1';
const toolCallId = 'fc_1';

export const reasoningItem = ({ reasoning }: Choice) => ({
  id: reasoningId,
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: reasoning.join('') }],
});

export const messageItem = (plan: Plan, { pieces }: Choice, status: string) => ({
  id: messageId,
  type: 'message',
  status,
  role: 'assistant',
  content: [{ type: 'output_text', annotations: [], logprobs: logprobsOf(plan, pieces), text: pieces.join('') }],
});

export const toolItem = ({ tool, pieces }: Choice, status: string) => ({
  id: toolCallId,
  type: 'function_call',
  status,
  call_id: tool?.id,
  name: tool?.name,
  arguments: pieces.join(''),
});

export function reasoningEvents(_plan: Plan, choice: Choice, emit: Emit): void {
  const place = { item_id: reasoningId, output_index: 0, summary_index: 0 };
  const text = choice.reasoning.join('');
  emit('response.output_item.added', { output_index: 0, item: { ...reasoningItem(choice), summary: [] } });
  emit('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
  for (const delta of choice.reasoning) {
    emit(
      'response.reasoning_summary_text.delta',
      { ...place, delta, obfuscation: 'x9Kd' },
      { output: 1, reasoning: 1 },
    );
  }
  emit('response.reasoning_summary_text.done', { ...place, text });
  emit('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } });
  emit('response.output_item.done', { output_index: 0, item: reasoningItem(choice) });
}

export const messageEvents: Write = (plan, choice, output_index, emit) => {
  const place = { item_id: messageId, output_index, content_index: 0 };
  const item = messageItem(plan, choice, 'completed');
  const [part] = item.content;
  const started = { ...item, status: 'in_progress', content: [] };
  emit('response.output_item.added', { output_index, item: started });
  emit('response.content_part.added', { ...place, part: { ...part, text: '', logprobs: [] } });
  choice.pieces.forEach((delta, index) => {
    const fields = { ...place, delta, logprobs: logprobsOf(plan, [delta]), obfuscation: 'x9Kd' };
    emit('response.output_text.delta', fields, generatedBy(plan, choice, index));
  });
  emit('response.output_text.done', { ...place, text: choice.pieces.join(''), logprobs: [] });
  emit('response.content_part.done', { ...place, part });
  emit('response.output_item.done', { output_index, item });
};

export const toolEvents: Write = (plan, choice, output_index, emit) => {
  const place = { item_id: toolCallId, output_index };
  const item = toolItem(choice, 'completed');
  emit('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } });
  choice.pieces.forEach((delta, index) => {
    const generated = generatedBy(plan, choice, index);
    emit('response.function_call_arguments.delta', { ...place, delta, obfuscation: 'x9Kd' }, generated);
  });
  emit('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments });
  emit('response.output_item.done', { output_index, item });
};

/** Hidden reasoning comes before the first token that is seen. */
function generatedBy({ counts }: Plan, { reasoning }: Choice, index: number) {
  const hidden = index === 0 && reasoning.length === 0 ? counts.reasoning : 0;
  return { output: 1 + hidden, reasoning: hidden };
}

function logprobsOf({ hasLogprobs }: Plan, pieces: string[]): object[] {
  if (!hasLogprobs) return [];
  return pieces.map((token) => {
    const entry = { token, logprob: -0.25, bytes: [...Buffer.from(token)] };
    return { ...entry, top_logprobs: [entry] };
  });
}
