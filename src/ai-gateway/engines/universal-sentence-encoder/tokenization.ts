import { EngineBusyError, EngineFailedError } from '../engine-errors.js';
import { readVocabulary } from './model-files.js';
import { MAX_TOKENS_PER_TEXT } from './model-shape.js';
import { Tokenizer } from './tokenizer.js';
import type { TokenizeTask } from './worker-tasks.js';

export interface TokenizationOptions {
  readonly modelFolder: string;
  /** Tokenizes in another thread. */
  readonly tokenizeInWorker: (task: TokenizeTask) => Promise<Uint16Array[]>;
}

/** Takes about a millisecond on the main thread, not much more than handing the texts to a worker. */
const MAX_INLINE_CHARACTERS = 4_096;
/** Texts of one task; requests take turns between tasks. */
const TASK_CHARACTERS = 262_144;
const MAX_WAITING_CHARACTERS = 67_108_864;
const CHARACTERS_PER_SECOND = 5_000_000;

/** Tokenizes short texts at once and leaves long ones to a worker, so the event loop is never held up. */
export class Tokenization {
  private tokenizer: Tokenizer | undefined;
  private lastTask: Promise<unknown> = Promise.resolve();
  private waitingCharacters = 0;

  constructor(private readonly options: TokenizationOptions) {}

  /**
   * Ids of each text's tokens.
   *
   * @throws EngineBusyError when too much text waits; EngineFailedError when the vocabulary cannot be read
   *   or the worker fails; the signal's reason.
   */
  async tokenize(texts: readonly string[], signal: AbortSignal): Promise<Uint16Array[]> {
    signal.throwIfAborted();
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (characters <= MAX_INLINE_CHARACTERS) return this.tokenizeInline(texts);
    if (this.waitingCharacters > 0 && this.waitingCharacters + characters > MAX_WAITING_CHARACTERS) {
      throw new EngineBusyError(Math.ceil(this.waitingCharacters / CHARACTERS_PER_SECOND));
    }
    this.waitingCharacters += characters;
    try {
      return await unlessAborted(this.tokenizeByTasks(texts, signal), signal);
    } finally {
      this.waitingCharacters -= characters;
    }
  }

  private tokenizeInline(texts: readonly string[]): Uint16Array[] {
    const tokenizer = (this.tokenizer ??= this.loadTokenizer());
    return texts.map((text) => tokenizer.encode(text, MAX_TOKENS_PER_TEXT));
  }

  private loadTokenizer(): Tokenizer {
    try {
      return new Tokenizer(readVocabulary(this.options.modelFolder));
    } catch (cause) {
      throw new EngineFailedError('The vocabulary of the embeddings model could not be read.', { cause });
    }
  }

  private async tokenizeByTasks(texts: readonly string[], signal: AbortSignal): Promise<Uint16Array[]> {
    const tokenized: Uint16Array[][] = [];
    for (const task of groupByLength(texts)) {
      tokenized.push(await this.afterOthers(task, signal));
    }
    return tokenized.flat();
  }

  /** One task at a time, first come first served: the other workers stay free for embedding. */
  private afterOthers(texts: readonly string[], signal: AbortSignal): Promise<Uint16Array[]> {
    const turn = this.lastTask.then(() => {
      signal.throwIfAborted();
      return this.options.tokenizeInWorker({ texts, maxTokens: MAX_TOKENS_PER_TEXT });
    });
    this.lastTask = turn.catch(() => undefined);
    return turn;
  }
}

/** Texts in order, cut into groups of limited length; a longer text is a group by itself. */
function groupByLength(texts: readonly string[]): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (group.length > 0 && characters + text.length > TASK_CHARACTERS) {
      groups.push(group);
      group = [];
      characters = 0;
    }
    group.push(text);
    characters += text.length;
  }
  groups.push(group);
  return groups;
}

/** Rejects as soon as the signal is aborted, whatever becomes of the work. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
