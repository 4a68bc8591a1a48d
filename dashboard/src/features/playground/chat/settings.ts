import type { GenerationParameters } from '../../../common/generation/generation-request.js';
import { createKeptState } from '../../../hooks/kept-state.js';

/** What the user sends with each message. Parameters are undefined unless they are set. */
export interface ChatSettings extends GenerationParameters {
  system: string;
}

/** More than any model reads, so that text that is cut off is still rejected as too long. */
export const maxMessageLength = 1_000_000;

const initialSettings: ChatSettings = { system: '' };

export const useKeptSettings = createKeptState(initialSettings);
export const useKeptDraft = createKeptState('');
