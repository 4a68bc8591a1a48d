import { useCallback, useEffect, useRef } from 'react';
import type { NamedModel } from '../../../common/models/models.js';
import type { GenerationParameters } from '../../../common/generation/generation-request.js';
import { createKeptState } from '../../../hooks/kept-state.js';
import type { WithKey } from '../key/use-playground-key.js';
import { type ChatResponse, emptyResponse } from './chat-response.js';
import { type ChatTurn, toMessages } from './chat-turn.js';
import { streamResponse } from './stream-response.js';

interface ChatOptions {
  model: NamedModel | undefined;
  system: string;
  parameters: GenerationParameters;
  withKey: WithKey;
}

const useKeptTurns = createKeptState<readonly ChatTurn[]>([]);
/** Ids are never reused, so that a stopped response doesn't change a new conversation. */
let latestId = 0;

/** A conversation with a model. Leaving the page stops a response that is still streaming. */
export function useChat({ model, system, parameters, withKey }: ChatOptions) {
  const [turns, keptTurns] = useKeptTurns();
  const controller = useRef<AbortController>(undefined);
  const stop = useCallback(() => controller.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const change = (id: number, changed: Partial<ChatResponse>) =>
    keptTurns.set(
      keptTurns.get().map((turn) => (turn.id === id ? { ...turn, response: { ...turn.response, ...changed } } : turn)),
    );

  const ask = async (message: string, earlier: readonly ChatTurn[]) => {
    const route = model?.served.routes[0];
    if (model === undefined || route === undefined) return;
    const { signal } = (controller.current = new AbortController());
    const id = ++latestId;
    const turn = { id, message, model: model.id, modelId: model.served.id, route, response: emptyResponse };
    keptTurns.set([...earlier, turn]);
    const messages = [...toMessages(earlier), { role: 'user' as const, content: message }];
    const request = { model: model.id, system, messages, ...parameters };
    const onProgress = (response: ChatResponse) => {
      if (!signal.aborted) change(id, response);
    };
    try {
      await withKey((key) => streamResponse({ key, route, request, signal, onProgress }));
    } catch (reason) {
      const error = reason instanceof Error ? reason : new Error(String(reason));
      change(id, signal.aborted ? { status: 'stopped' } : { status: 'failed', error });
    }
  };

  const isStreaming = turns.at(-1)?.response.status === 'streaming';
  return {
    turns,
    isStreaming,
    stop,
    /** Sends a message, unless a response is streaming. */
    send: (message: string) => {
      if (!isStreaming) void ask(message, turns);
    },
    /** Sends the last message again. */
    retry: () => {
      const last = turns.at(-1);
      if (last !== undefined && !isStreaming) void ask(last.message, turns.slice(0, -1));
    },
    reset: () => {
      stop();
      keptTurns.set([]);
    },
  };
}
