import { TokenizationQueue } from '../batching/tokenization-queue.js';
import type { EngineClient } from '../../engine-client.js';
import { EngineFailedError } from '../../engine-errors.js';
import { readVocabulary } from './model-files.js';
import { maxTokensPerText } from './model-shape.js';
import { Tokenizer } from './tokenizer.js';
import type { TokenizeTask } from './worker-tasks.js';

export interface TokenizationOptions {
  readonly modelFolder: string;
  /** Tokenizes in a worker thread. */
  readonly tokenizeInWorker: (task: TokenizeTask) => Promise<Uint16Array[]>;
}

/** Takes about a millisecond on the main thread, hardly more than passing the texts to a worker. */
const maxInlineCharacters = 4_096;

/** Tokenizes short texts inline and long ones in a worker, so the event loop is never blocked. */
export class Tokenization {
  private tokenizer: Tokenizer | undefined;
  private readonly queue: TokenizationQueue<Uint16Array>;

  constructor(private readonly options: TokenizationOptions) {
    this.queue = new TokenizationQueue((texts) => options.tokenizeInWorker({ texts, maxTokens: maxTokensPerText }));
  }

  /**
   * Returns the token ids of each text.
   *
   * @throws EngineBusyError if the queue is full; EngineFailedError if the vocabulary can't be read or the worker fails;
   *   the signal's reason
   */
  async tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<Uint16Array[]> {
    signal.throwIfAborted();
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    return characters <= maxInlineCharacters ? this.tokenizeInline(texts) : this.queue.tokenize(texts, signal, client);
  }

  private tokenizeInline(texts: readonly string[]): Uint16Array[] {
    const tokenizer = (this.tokenizer ??= this.loadTokenizer());
    return texts.map((text) => tokenizer.encode(text, maxTokensPerText));
  }

  private loadTokenizer(): Tokenizer {
    try {
      return new Tokenizer(readVocabulary(this.options.modelFolder));
    } catch (cause) {
      throw new EngineFailedError('The vocabulary of the embeddings model could not be read.', { cause });
    }
  }
}
