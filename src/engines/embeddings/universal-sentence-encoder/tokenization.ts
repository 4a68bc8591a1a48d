import { TokenizationQueue } from '../batching/tokenization-queue.js';
import type { EngineClient } from '../../engine-client.js';
import { EngineFailedError } from '../../engine-errors.js';
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

/** Tokenizes short texts at once and leaves long ones to a worker, so the event loop is never held up. */
export class Tokenization {
  private tokenizer: Tokenizer | undefined;
  private readonly queue: TokenizationQueue<Uint16Array>;

  constructor(private readonly options: TokenizationOptions) {
    this.queue = new TokenizationQueue((texts) => options.tokenizeInWorker({ texts, maxTokens: MAX_TOKENS_PER_TEXT }));
  }

  /**
   * Ids of each text's tokens.
   *
   * @throws EngineBusyError when too much text waits; EngineFailedError when the vocabulary cannot be read
   *   or the worker fails; the signal's reason.
   */
  async tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<Uint16Array[]> {
    signal.throwIfAborted();
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    return characters <= MAX_INLINE_CHARACTERS
      ? this.tokenizeInline(texts)
      : this.queue.tokenize(texts, signal, client);
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
}
