import { DocumentError } from './errors.js';
import type { FailedPage, ImageOptions, ReadOptions, ReadPage } from './read-page.js';

/** A page whose worker had to be replaced. */
export interface LostPage extends FailedPage {
  readonly lostWorker: true;
}

/** Worker time for a document: a base amount, plus an amount for each requested page. */
export interface TimeBudget {
  readonly documentSeconds: number;
  readonly pageSeconds: number;
}

/** Each costs a worker, so reading stops after this many in a row. */
const maxConsecutiveLostPages = 3;
/** Timers may fire early by this much. */
const timerPrecisionSeconds = 0.01;

/** A document that is being read for a client: its pages, results and time budget. */
export class DocumentJob<Client = unknown> {
  /** Resolves with the pages in ascending order. */
  readonly pages: Promise<(ReadPage | FailedPage)[]>;
  private readonly results: (ReadPage | FailedPage)[] = [];
  private waitingPages: number[] | undefined;
  private missingResults = Infinity;
  private consecutiveLostPages = 0;
  private usedSeconds = 0;
  private budgetSeconds: number;
  private hasFinished = false;
  private resolve: (pages: (ReadPage | FailedPage)[]) => void;
  private reject: (reason: unknown) => void;

  constructor(
    readonly id: number,
    readonly client: Client,
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

  get languages(): readonly string[] | undefined {
    return this.options.languages;
  }

  get images(): ImageOptions | undefined {
    return this.options.images;
  }

  /** Whether a worker has opened the document, so that its page count is known. */
  get isOpened(): boolean {
    return this.waitingPages !== undefined;
  }

  /** Whether all pages have been read, or the job has failed or was aborted. */
  get isFinished(): boolean {
    return this.hasFinished;
  }

  get hasWaitingPages(): boolean {
    return (this.waitingPages?.length ?? 0) > 0;
  }

  get remainingSeconds(): number {
    return this.budgetSeconds - this.usedSeconds;
  }

  get isOutOfTime(): boolean {
    return this.remainingSeconds < timerPrecisionSeconds;
  }

  /** Completes the sentence "Page 3 was not read because …". */
  get outOfTimeReason(): string {
    return `the document took longer than ${this.budgetSeconds} s to read`;
  }

  /** Adds worker time. */
  addUsedTime(seconds: number): void {
    this.usedSeconds += seconds;
  }

  /** Call this once the document has been opened. */
  setPageCount(pageCount: number): void {
    const { pages = Array.from({ length: pageCount }, (_, index) => index) } = this.options;
    const outOfRange = pages.find((index) => index >= pageCount);
    if (outOfRange !== undefined) return this.fail(outOfRangeError(outOfRange, pageCount));
    this.waitingPages = [...pages];
    this.missingResults = pages.length;
    this.budgetSeconds += this.budget.pageSeconds * pages.length;
    this.finishIfComplete();
  }

  /** Asks whether the pages may be read. Call this after `setPageCount`, before the first page. */
  async requestPermission(): Promise<void> {
    if (this.hasWaitingPages) await this.options.beforePages?.(this.missingResults);
  }

  /** Takes the index of the next page to read. */
  takePage(): number | undefined {
    return this.waitingPages?.shift();
  }

  addResult(page: ReadPage | FailedPage | LostPage): void {
    if (this.hasFinished) return;
    this.consecutiveLostPages = 'lostWorker' in page ? this.consecutiveLostPages + 1 : 0;
    try {
      this.options.onPage?.(page);
    } catch (error) {
      return this.fail(error);
    }
    this.results.push(page);
    this.missingResults -= 1;
    if (this.consecutiveLostPages >= maxConsecutiveLostPages) {
      this.skipWaitingPages(`reading stopped after ${maxConsecutiveLostPages} consecutive failures`);
    } else if (this.isOutOfTime) this.skipWaitingPages(this.outOfTimeReason);
    this.finishIfComplete();
  }

  fail(reason: unknown): void {
    this.finish();
    this.reject(reason);
  }

  private readonly abort = () => this.fail(this.signal.reason);

  private skipWaitingPages(reason: string): void {
    const skipped = this.waitingPages ?? [];
    this.waitingPages = [];
    this.missingResults -= skipped.length;
    for (const index of skipped) {
      this.results.push({ index, failure: `Page ${index + 1} was not read because ${reason}.` });
    }
  }

  private finishIfComplete(): void {
    if (this.missingResults > 0) return;
    this.finish();
    this.resolve(this.results.sort((left, right) => left.index - right.index));
  }

  private finish(): void {
    this.hasFinished = true;
    this.waitingPages = [];
    this.signal.removeEventListener('abort', this.abort);
  }
}

function outOfRangeError(index: number, pageCount: number): DocumentError {
  const range = pageCount === 1 ? 'Its only page has index 0.' : `Its page indexes are 0 to ${pageCount - 1}.`;
  return new DocumentError('page-out-of-range', `The document has no page with index ${index}. ${range}`);
}
