import { EngineBusyError } from '../engine-errors.js';
import { unlessAborted } from '../unless-aborted.js';

/** Texts of one task; requests take turns between tasks. */
const TASK_CHARACTERS = 262_144;
const MAX_WAITING_CHARACTERS = 67_108_864;
const CHARACTERS_PER_SECOND = 5_000_000;

/** Texts that wait to be tokenized in another thread, which `tokenize` does. */
export class TokenizationQueue<Tokens> {
  private lastTask: Promise<unknown> = Promise.resolve();
  private waitingCharacters = 0;

  constructor(private readonly tokenizeInWorker: (texts: readonly string[]) => Promise<Tokens[]>) {}

  /**
   * The tokens of each text, in order.
   *
   * @throws EngineBusyError at once when too much text waits; what the worker throws; the signal's reason
   */
  async tokenize(texts: readonly string[], signal: AbortSignal): Promise<Tokens[]> {
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
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

  private async tokenizeByTasks(texts: readonly string[], signal: AbortSignal): Promise<Tokens[]> {
    const tokenized: Tokens[][] = [];
    for (const task of groupByLength(texts)) {
      tokenized.push(await this.afterOthers(task, signal));
    }
    return tokenized.flat();
  }

  /** One task at a time, first come first served: the other workers stay free for embedding. */
  private afterOthers(texts: readonly string[], signal: AbortSignal): Promise<Tokens[]> {
    const turn = this.lastTask.then(() => {
      signal.throwIfAborted();
      return this.tokenizeInWorker(texts);
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
