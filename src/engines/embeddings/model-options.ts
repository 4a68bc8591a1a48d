import path from 'node:path';
import { z } from 'zod';
import { wholeNumber } from '../../common/validation/settings-schema.js';

/** OpenAI's limit. A text of this length takes gigabytes of memory in most models. */
const maxTokensPerText = 8192;

/** Options of every engine that runs models of the operator. */
export const modelOptions = {
  /** Prepended to each text, such as `query: `. */
  prefix: z.string().default(''),
  /** Maximum tokens per text, if the model would accept more; memory grows with their square in most models. */
  maxTokens: wholeNumber(1, maxTokensPerText).default(maxTokensPerText),
};

/** Threads that run the model; each holds all of it in memory. */
export const threads = wholeNumber(1, 64);

/** Whether a source is a path, absolute or relative to the models file. */
export function isFolder(source: string): boolean {
  return !source.includes('\0') && (/^\.{1,2}([/\\]|$)/.test(source) || path.isAbsolute(source));
}
