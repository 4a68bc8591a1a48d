import type { GenerationRoute } from '@rules/tasks.js';
import type { ChatMessage } from '../../../common/generation/generation-request.js';
import type { ChatResponse } from './chat-response.js';

/** A message of the user, and the model's response. */
export interface ChatTurn {
  id: number;
  message: string;
  /** Id or alias of the requested model. */
  model: string;
  /** Id of the requested model. */
  modelId: string;
  route: GenerationRoute;
  response: ChatResponse;
}

/** The messages of a conversation. Turns without any response aren't sent again. */
export function toMessages(turns: readonly ChatTurn[]): ChatMessage[] {
  return turns
    .filter(({ response }) => response.text !== '')
    .flatMap(({ message, response }) => [
      { role: 'user', content: message },
      { role: 'assistant', content: response.text },
    ]);
}

/** Shown in code samples until the user writes something. */
const exampleMessage = 'Say hello.';

/** The messages of the next request: with the draft, or else those of the latest request. */
export function nextMessages(turns: readonly ChatTurn[], draft: string): ChatMessage[] {
  const message = draft.trim();
  const isDraft = message !== '';
  const earlier = toMessages(isDraft ? turns : turns.slice(0, -1));
  return [...earlier, { role: 'user', content: isDraft ? message : (turns.at(-1)?.message ?? exampleMessage) }];
}
