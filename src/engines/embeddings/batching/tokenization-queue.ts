import { fitsFairShare } from '../../../common/fair-share.js';
import { type EngineClient, systemClient } from '../../engine-client.js';
import { EngineBusyError } from '../../engine-errors.js';
import { FairQueue } from '../../fair-queue.js';
import { abortable } from '../abortable.js';

/** Requests take turns after each task. */
const maxTaskCharacters = 262_144;
const maxWaitingCharacters = 67_108_864;
/** Expected throughput, for `Retry-After`. */
const charactersPerSecond = 5_000_000;

/** Has texts tokenized in a worker, one task at a time. */
export class TokenizationQueue<Tokens> {
  private readonly tasks = new FairQueue<() => Promise<void>>();
  private isRunning = false;
  private waitingCharacters = 0;
  private readonly waitingCharactersByOrganization = new Map<string, number>();

  constructor(private readonly tokenizeInWorker: (texts: readonly string[]) => Promise<Tokens[]>) {}

  /**
   * Returns the tokens of each text, in order.
   *
   * @throws EngineBusyError immediately if the organization's share of the queue is full; errors of the worker; the
   *   signal's reason
   */
  async tokenize(
    texts: readonly string[],
    signal: AbortSignal,
    client: EngineClient = systemClient,
  ): Promise<Tokens[]> {
    const wanted = texts.reduce((sum, text) => sum + text.length, 0);
    const held = this.waitingCharactersByOrganization.get(client.organizationId) ?? 0;
    const claim = { limit: maxWaitingCharacters, used: this.waitingCharacters, held, wanted };
    if (held > 0 && !fitsFairShare(claim)) {
      throw new EngineBusyError(Math.ceil(this.waitingCharacters / charactersPerSecond));
    }
    this.count(client, wanted);
    try {
      return await abortable(this.tokenizeInTasks(texts, signal, client), signal);
    } finally {
      this.count(client, -wanted);
    }
  }

  private count({ organizationId }: EngineClient, characters: number): void {
    this.waitingCharacters += characters;
    const held = (this.waitingCharactersByOrganization.get(organizationId) ?? 0) + characters;
    if (held === 0) this.waitingCharactersByOrganization.delete(organizationId);
    else this.waitingCharactersByOrganization.set(organizationId, held);
  }

  private async tokenizeInTasks(
    texts: readonly string[],
    signal: AbortSignal,
    client: EngineClient,
  ): Promise<Tokens[]> {
    const tokenized: Tokens[][] = [];
    for (const group of groupByLength(texts)) {
      tokenized.push(await this.enqueue(group, signal, client));
    }
    return tokenized.flat();
  }

  private enqueue(texts: readonly string[], signal: AbortSignal, client: EngineClient): Promise<Tokens[]> {
    const task = async () => {
      signal.throwIfAborted();
      return this.tokenizeInWorker(texts);
    };
    return new Promise((resolve, reject) => {
      this.tasks.push(client, () => task().then(resolve, reject));
      void this.run();
    });
  }

  /** Runs one task at a time, so that the other workers can embed. */
  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let task = this.tasks.shift(); task !== undefined; task = this.tasks.shift()) await task();
    this.isRunning = false;
  }
}

/** Splits a list of texts into groups of limited length. A text over the limit gets a group of its own. */
function groupByLength(texts: readonly string[]): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (group.length > 0 && characters + text.length > maxTaskCharacters) {
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
