import { EngineFailedError } from '../../engine-errors.js';
import { DocumentError, type FailedPage, type ReadPage } from '../ocr-engine.js';
import { PackedPage, type WorkerAnswer, type WorkerRequest } from './worker-messages.js';
import type { LostPage, Reading } from './reading.js';
import {
  WorkerDied,
  type WorkerOptions,
  WorkerOutOfMemory,
  WorkerProcess,
  type RequestOptions,
  WorkerTimedOut,
} from './worker-process.js';

export interface SlotOptions extends WorkerOptions {
  readonly pageDeadlineSeconds: number;
  readonly openDeadlineSeconds: number;
}

const startDeadlineSeconds = 30;
/** Of documents that are open in one worker, besides the one that is being read. */
const maxOpenBytes = 128 * 1024 * 1024;
/** A worker that has grown beyond is replaced when it is done, since PDFium never gives memory back. */
const maxIdleMemoryBytes = 700 * 1024 * 1024;
const never = new AbortController().signal;

/** The place of one worker, which starts when it is needed and is replaced when it is lost. */
export class WorkerSlot {
  private starting: Promise<WorkerProcess> | undefined;
  private worker: WorkerProcess | undefined;
  /** Open in the worker; the first was opened first. */
  private readonly opened = new Set<Reading>();
  /** Id of the only document the worker has opened, before any page; else the worker may hold memory of others. */
  private usedBy: number | 'several' | undefined;
  private isClosed = false;

  constructor(private readonly options: SlotOptions) {}

  /**
   * Opens a document, unless it is open here.
   *
   * @throws DocumentError when it cannot be read, EngineFailedError when no worker can
   */
  async open(reading: Reading): Promise<void> {
    try {
      await this.twice(reading, (worker) => this.openIn(worker, reading));
    } catch (error) {
      throw this.explainOpening(error);
    }
  }

  /** @throws DocumentError and EngineFailedError as {@link open} does */
  async read(reading: Reading, pageIndex: number): Promise<ReadPage | FailedPage | LostPage> {
    const fail = (failure: string): FailedPage => ({ index: pageIndex, failure: `Page ${pageIndex + 1} ${failure}` });
    try {
      return await this.twice(reading, async (worker) => {
        await this.openIn(worker, reading);
        const answer = await this.ask(worker, reading, pageIndex);
        return answer.kind === 'page' ? new PackedPage(pageIndex, answer) : fail(answer.failure);
      });
    } catch (error) {
      const reason = this.explainLoss(error, reading);
      if (reason === undefined) throw error;
      return { ...fail(reason), lostWorker: true };
    }
  }

  private explainOpening(error: unknown): unknown {
    if (error instanceof WorkerTimedOut) {
      const { openDeadlineSeconds } = this.options;
      return new DocumentError('corrupt', `The document could not be opened within ${openDeadlineSeconds} s.`);
    }
    if (error instanceof WorkerOutOfMemory) {
      return new DocumentError(
        'too-much-memory',
        `Opening the document takes more than ${this.memoryLimit()} of memory.`,
      );
    }
    if (error instanceof WorkerDied)
      return new DocumentError('corrupt', 'The document is damaged: its reader crashed.');
    return error;
  }

  /** Completes the sentence "Page 3 …"; undefined for anything else than the loss of a worker. */
  private explainLoss(error: unknown, reading: Reading): string | undefined {
    if (error instanceof WorkerTimedOut && reading.isOutOfTime) return `was not finished: ${reading.timeLimit}.`;
    if (error instanceof WorkerTimedOut) return `took longer than ${this.options.pageDeadlineSeconds} s.`;
    if (error instanceof WorkerOutOfMemory) return `takes more than ${this.memoryLimit()} of memory to read.`;
    if (error instanceof WorkerDied) return 'could not be read: its reader crashed.';
    return undefined;
  }

  private memoryLimit(): string {
    return `${Math.round(this.options.memoryBytes / 1024 / 1024)} MB`;
  }

  /** Closes the documents that nobody waits for. */
  async tidy(): Promise<void> {
    for (const reading of this.opened) if (reading.isOver) await this.forget(reading);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([this.starting]);
    await this.worker?.kill();
  }

  /**
   * Retries in a new worker when the loss may not be the document's fault: the system may have ended the worker, and
   * its memory may have been used up by documents before.
   */
  private async twice<Result>(reading: Reading, task: (worker: WorkerProcess) => Promise<Result>): Promise<Result> {
    const worker = await this.liveWorker();
    const isNew = this.usedBy === undefined || this.usedBy === reading.id;
    try {
      return await task(worker);
    } catch (error) {
      const isWorthRetrying = error instanceof WorkerDied || (error instanceof WorkerOutOfMemory && !isNew);
      if (!isWorthRetrying || reading.isOver || this.isClosed) throw error;
      return await task(await this.liveWorker());
    }
  }

  private async liveWorker(): Promise<WorkerProcess> {
    if (this.worker?.isAlive) return this.worker;
    this.opened.clear();
    this.usedBy = undefined;
    if (this.isClosed) throw new EngineFailedError('The OCR engine is closed.');
    try {
      this.starting = WorkerProcess.start(this.options, startDeadlineSeconds);
      this.worker = await this.starting;
    } catch (cause) {
      throw new EngineFailedError('No worker of the OCR engine can be started.', { cause });
    }
    return this.worker;
  }

  private async openIn(worker: WorkerProcess, reading: Reading): Promise<void> {
    if (this.opened.has(reading)) return;
    for (const other of this.opened)
      if (this.openBytes() + reading.bytes.length > maxOpenBytes) await this.forget(other);
    const { id: documentId, bytes, signal } = reading;
    const deadlineSeconds = this.options.openDeadlineSeconds;
    const request = { kind: 'open', documentId } as const;
    const answer = rejectRefusal(await this.timed(worker, reading, request, { deadlineSeconds, signal, bytes }));
    if (answer.kind !== 'opened') throw unexpected(answer);
    this.opened.add(reading);
    if (!reading.isOpened && !reading.isOver) reading.open(answer.pageCount);
  }

  private async ask(worker: WorkerProcess, reading: Reading, pageIndex: number) {
    const { id: documentId, signal } = reading;
    const deadlineSeconds = Math.min(this.options.pageDeadlineSeconds, reading.remainingSeconds);
    const request = { kind: 'read', documentId, pageIndex } as const;
    const answer = rejectRefusal(await this.timed(worker, reading, request, { deadlineSeconds, signal }));
    if (answer.kind === 'page' || answer.kind === 'page-failed') return answer;
    throw unexpected(answer);
  }

  /** Counts the time of a request as the document's. */
  private async timed(
    worker: WorkerProcess,
    reading: Reading,
    request: WorkerRequest,
    options: RequestOptions,
  ): Promise<WorkerAnswer> {
    const start = performance.now();
    try {
      return await worker.request(request, options);
    } finally {
      reading.spend((performance.now() - start) / 1_000);
      const isFirst = this.usedBy === undefined || this.usedBy === reading.id;
      this.usedBy = isFirst && request.kind === 'open' ? reading.id : 'several';
    }
  }

  private async forget(reading: Reading): Promise<void> {
    this.opened.delete(reading);
    if (!this.worker?.isAlive) return;
    const request = { kind: 'close', documentId: reading.id } as const;
    const deadlineSeconds = this.options.openDeadlineSeconds;
    try {
      const answer = await this.worker.request(request, { deadlineSeconds, signal: never });
      if (answer.kind === 'closed' && answer.memoryBytes > maxIdleMemoryBytes) await this.worker.kill();
    } catch {
      // The worker is lost, and the document with it.
    }
  }

  private openBytes(): number {
    return Array.from(this.opened, ({ bytes }) => bytes.length).reduce((sum, length) => sum + length, 0);
  }
}

function rejectRefusal(answer: WorkerAnswer): WorkerAnswer {
  if (answer.kind === 'refused') throw new DocumentError(answer.problem, answer.message);
  if (answer.kind === 'broken') throw new EngineFailedError(answer.reason);
  return answer;
}

const unexpected = ({ kind }: WorkerAnswer) => new Error(`A worker of the OCR engine answered out of turn: ${kind}.`);
