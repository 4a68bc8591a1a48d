import { type EngineClient, systemClient } from '../../engine-client.js';
import { DocumentError, type FailedPage, type ReadOptions, type ReadPage } from '../ocr-engine.js';

/** A page whose worker had to be replaced. */
export interface LostPage extends FailedPage {
  readonly lostWorker: true;
}

/** Time that workers may spend on a document: some for itself, and some for each page asked for. */
export interface TimeBudget {
  readonly documentSeconds: number;
  readonly pageSeconds: number;
}

/** Each costs a worker, so a document is given up after this many in a row. */
const mostLostInARow = 3;
/** Timers may fire this much too early. */
const timerPrecisionSeconds = 0.01;

/** A document that is being read for a client. */
export class Reading {
  /** Resolves with the pages in order. */
  readonly pages: Promise<(ReadPage | FailedPage)[]>;
  private readonly results: (ReadPage | FailedPage)[] = [];
  private waiting: number[] | undefined;
  private unread = Infinity;
  private lostInARow = 0;
  private spentSeconds = 0;
  private budgetSeconds: number;
  private over = false;
  private resolve: (pages: (ReadPage | FailedPage)[]) => void;
  private reject: (reason: unknown) => void;

  constructor(
    readonly id: number,
    readonly bytes: Buffer,
    private readonly options: ReadOptions,
    readonly signal: AbortSignal,
    private readonly budget: TimeBudget,
  ) {
    this.budgetSeconds = budget.documentSeconds;
    this.pages = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    signal.addEventListener('abort', this.abort);
  }

  /** Whose share of the queue and whose turns it takes. */
  get client(): EngineClient {
    return this.options.client ?? systemClient;
  }

  /** Whether it has been opened, so that its pages are known. */
  get isOpened(): boolean {
    return this.waiting !== undefined;
  }

  /** Whether all has been read, or nobody asks for it any more. */
  get isOver(): boolean {
    return this.over;
  }

  get hasWaitingPages(): boolean {
    return (this.waiting?.length ?? 0) > 0;
  }

  /** What workers may still spend on it. */
  get remainingSeconds(): number {
    return this.budgetSeconds - this.spentSeconds;
  }

  get isOutOfTime(): boolean {
    return this.remainingSeconds < timerPrecisionSeconds;
  }

  /** Completes the sentence "Page 3 was not read: …". */
  get timeLimit(): string {
    return `reading the document took longer than ${this.budgetSeconds} s`;
  }

  /** Counts time that a worker has spent on it. */
  spend(seconds: number): void {
    this.spentSeconds += seconds;
  }

  /** Learns how many pages there are. */
  open(pageCount: number): void {
    const { pages = Array.from({ length: pageCount }, (_, index) => index) } = this.options;
    const outside = pages.find((index) => index >= pageCount);
    if (outside !== undefined) return this.fail(outOfRange(outside, pageCount));
    this.waiting = [...pages];
    this.unread = pages.length;
    this.budgetSeconds += this.budget.pageSeconds * pages.length;
    this.endWhenRead();
  }

  /** The next page to be read. */
  takePage(): number | undefined {
    return this.waiting?.shift();
  }

  add(page: ReadPage | FailedPage | LostPage): void {
    if (this.over) return;
    this.lostInARow = 'lostWorker' in page ? this.lostInARow + 1 : 0;
    try {
      if (!('failure' in page)) this.options.onPage?.(page);
    } catch (error) {
      return this.fail(error);
    }
    this.results.push(page);
    this.unread -= 1;
    if (this.lostInARow >= mostLostInARow)
      this.skipWaiting(`reading stopped after ${mostLostInARow} failures in a row`);
    else if (this.isOutOfTime) this.skipWaiting(this.timeLimit);
    this.endWhenRead();
  }

  fail(reason: unknown): void {
    this.end();
    this.reject(reason);
  }

  private readonly abort = () => this.fail(this.signal.reason);

  private skipWaiting(reason: string): void {
    const skipped = this.waiting ?? [];
    this.waiting = [];
    this.unread -= skipped.length;
    for (const index of skipped) this.results.push({ index, failure: `Page ${index + 1} was not read: ${reason}.` });
  }

  private endWhenRead(): void {
    if (this.unread > 0) return;
    this.end();
    this.resolve(this.results.sort((one, other) => one.index - other.index));
  }

  private end(): void {
    this.over = true;
    this.waiting = [];
    this.signal.removeEventListener('abort', this.abort);
  }
}

function outOfRange(index: number, pageCount: number): DocumentError {
  const indexes =
    pageCount === 1 ? 'its only page has the index 0' : `its pages have the indexes 0 to ${pageCount - 1}`;
  return new DocumentError('page-out-of-range', `There is no page with the index ${index}; ${indexes}.`);
}
