import { fitsFairShare } from '../../../common/fair-share.js';
import { type EngineClient, ownClient } from '../../engine-client.js';
import { EngineBusyError } from '../../engine-errors.js';
import { FairQueue } from '../../fair-queue.js';
import { unlessAborted } from '../unless-aborted.js';

/** Texts of one task; requests take turns between tasks. */
const TASK_CHARACTERS = 262_144;
const MAX_WAITING_CHARACTERS = 67_108_864;
const CHARACTERS_PER_SECOND = 5_000_000;

/** Texts waiting to be tokenized in another thread by `tokenizeInWorker`, one task at a time. */
export class TokenizationQueue<Tokens> {
  private readonly tasks = new FairQueue<() => Promise<void>>();
  private isRunning = false;
  private waitingCharacters = 0;
  /** The same by organization. */
  private readonly charactersOf = new Map<string, number>();

  constructor(private readonly tokenizeInWorker: (texts: readonly string[]) => Promise<Tokens[]>) {}

  /**
   * The tokens of each text, in order.
   *
   * @throws EngineBusyError immediately when too much text of the organization waits; what the worker throws; the
   *   signal's reason
   */
  async tokenize(texts: readonly string[], signal: AbortSignal, client: EngineClient = ownClient): Promise<Tokens[]> {
    const wanted = texts.reduce((sum, text) => sum + text.length, 0);
    const held = this.charactersOf.get(client.organizationId) ?? 0;
    const claim = { limit: MAX_WAITING_CHARACTERS, used: this.waitingCharacters, held, wanted };
    if (held > 0 && !fitsFairShare(claim)) {
      throw new EngineBusyError(Math.ceil(this.waitingCharacters / CHARACTERS_PER_SECOND));
    }
    this.count(client, wanted);
    try {
      return await unlessAborted(this.tokenizeByTasks(texts, signal, client), signal);
    } finally {
      this.count(client, -wanted);
    }
  }

  private count({ organizationId }: EngineClient, characters: number): void {
    this.waitingCharacters += characters;
    const held = (this.charactersOf.get(organizationId) ?? 0) + characters;
    if (held === 0) this.charactersOf.delete(organizationId);
    else this.charactersOf.set(organizationId, held);
  }

  private async tokenizeByTasks(
    texts: readonly string[],
    signal: AbortSignal,
    client: EngineClient,
  ): Promise<Tokens[]> {
    const tokenized: Tokens[][] = [];
    for (const task of groupByLength(texts)) {
      tokenized.push(await this.inTurn(task, signal, client));
    }
    return tokenized.flat();
  }

  /** One task at a time: the other workers stay free for embedding. */
  private inTurn(texts: readonly string[], signal: AbortSignal, client: EngineClient): Promise<Tokens[]> {
    const work = async () => {
      signal.throwIfAborted();
      return this.tokenizeInWorker(texts);
    };
    return new Promise((resolve, reject) => {
      this.tasks.push(client, () => work().then(resolve, reject));
      void this.run();
    });
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let task = this.tasks.shift(); task !== undefined; task = this.tasks.shift()) await task();
    this.isRunning = false;
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
