import type { DocumentJob, LostPage } from './document-job.js';
import { DocumentError, ReaderFailedError } from './errors.js';
import type { FailedPage, ReadPage } from './read-page.js';
import { PackedPage, type WorkerRequest, type WorkerResponse } from './worker-messages.js';
import {
  type RequestOptions,
  WorkerDiedError,
  WorkerMemoryError,
  type WorkerOptions,
  WorkerProcess,
  WorkerTimeoutError,
} from './worker-process.js';

export interface SlotOptions extends WorkerOptions {
  readonly pageTimeoutSeconds: number;
  readonly openTimeoutSeconds: number;
}

const startTimeoutSeconds = 30;
/** Total size of the documents that are open in a worker. A single document may be larger. */
const maxOpenBytes = 128 * 1024 * 1024;
/** A larger worker is replaced after closing a document, because PDFium never frees memory. */
const maxIdleMemoryBytes = 700 * 1024 * 1024;
const neverAborted = new AbortController().signal;

/** Holds one worker, starts it on demand and replaces it if it dies. */
export class WorkerSlot {
  private starting: Promise<WorkerProcess> | undefined;
  private worker: WorkerProcess | undefined;
  /** Jobs whose document is open in the worker, in the order they were opened. */
  private readonly openJobs = new Set<DocumentJob>();
  /** The only job that the worker has opened, before its first page. `any` for a new worker, `none` afterwards. */
  private freshFor: number | 'any' | 'none' = 'any';
  private isClosed = false;

  constructor(private readonly options: SlotOptions) {}

  /**
   * Opens a document, unless it's open in this worker.
   *
   * @throws DocumentError if it can't be read, ReaderFailedError if the worker can't run
   */
  async open(job: DocumentJob): Promise<void> {
    try {
      await this.withRetry(job, (worker) => this.openIn(worker, job));
    } catch (error) {
      throw this.explainOpenFailure(error);
    }
  }

  /** @throws DocumentError and ReaderFailedError like {@link open} */
  async read(job: DocumentJob, pageIndex: number): Promise<ReadPage | FailedPage | LostPage> {
    const fail = (failure: string): FailedPage => ({ index: pageIndex, failure: `Page ${pageIndex + 1} ${failure}` });
    try {
      return await this.withRetry(job, async (worker) => {
        await this.openIn(worker, job);
        const response = await this.requestPage(worker, job, pageIndex);
        return response.kind === 'page' ? new PackedPage(pageIndex, response) : fail(response.failure);
      });
    } catch (error) {
      const failure = this.explainPageFailure(error, job);
      if (failure === undefined) throw error;
      const wasKilled = error instanceof WorkerTimeoutError || error instanceof WorkerMemoryError;
      return { ...fail(failure), lostWorker: true, ...(wasKilled && { wasKilled }) };
    }
  }

  /** Closes documents whose job is finished. */
  async closeFinishedJobs(): Promise<void> {
    for (const job of this.openJobs) if (job.isFinished) await this.closeDocument(job);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([this.starting]);
    await this.worker?.kill();
  }

  private explainOpenFailure(error: unknown): unknown {
    if (error instanceof WorkerTimeoutError) {
      const { openTimeoutSeconds } = this.options;
      return new DocumentError('corrupt', `The document could not be opened within ${openTimeoutSeconds} s.`);
    }
    if (error instanceof WorkerMemoryError) {
      return new DocumentError('too-much-memory', `Opening the document requires more than ${this.memoryLimit()}.`);
    }
    if (error instanceof WorkerDiedError) {
      return new DocumentError('corrupt', 'The document could not be opened: the OCR worker crashed.');
    }
    return error;
  }

  /** Completes the sentence "Page 3 …". Undefined if the worker wasn't lost. */
  private explainPageFailure(error: unknown, job: DocumentJob): string | undefined {
    if (error instanceof WorkerTimeoutError) {
      if (job.isOutOfTime) return `was not finished because ${job.outOfTimeReason}.`;
      return `took longer than ${this.options.pageTimeoutSeconds} s to read.`;
    }
    if (error instanceof WorkerMemoryError) return `requires more than ${this.memoryLimit()}.`;
    if (error instanceof WorkerDiedError) return 'could not be read: the OCR worker crashed.';
    return undefined;
  }

  private memoryLimit(): string {
    return `${Math.round(this.options.memoryBytes / 1024 / 1024)} MB of memory`;
  }

  /**
   * Retries once in a new worker if the document may not be the cause: the system may have killed the worker, or previous
   * documents may have used up its memory.
   */
  private async withRetry<Result>(job: DocumentJob, task: (worker: WorkerProcess) => Promise<Result>): Promise<Result> {
    const worker = await this.getWorker();
    const isFresh = this.isFreshFor(job);
    try {
      return await task(worker);
    } catch (error) {
      const isRetryable = error instanceof WorkerDiedError || (error instanceof WorkerMemoryError && !isFresh);
      if (!isRetryable || job.isFinished || this.isClosed) throw error;
      return await task(await this.getWorker());
    }
  }

  private isFreshFor(job: DocumentJob): boolean {
    return this.freshFor === 'any' || this.freshFor === job.id;
  }

  private async getWorker(): Promise<WorkerProcess> {
    if (this.worker?.isAlive) return this.worker;
    this.openJobs.clear();
    this.freshFor = 'any';
    if (this.isClosed) throw new ReaderFailedError('The document reader is closed.');
    try {
      this.starting = WorkerProcess.start(this.options, startTimeoutSeconds);
      this.worker = await this.starting;
    } catch (cause) {
      throw new ReaderFailedError('The OCR worker could not be started.', { cause });
    }
    return this.worker;
  }

  private async openIn(worker: WorkerProcess, job: DocumentJob): Promise<void> {
    if (this.openJobs.has(job)) return;
    for (const other of this.openJobs) {
      if (this.openBytes() + job.bytes.length > maxOpenBytes) await this.closeDocument(other);
    }
    const options = { timeoutSeconds: this.options.openTimeoutSeconds, bytes: job.bytes };
    const { id: documentId, languages } = job;
    const request = { kind: 'open', documentId, ...(languages !== undefined && { languages }) } as const;
    const response = await this.request(worker, job, request, options);
    if (response.kind !== 'opened') throw unexpectedResponse(response);
    this.openJobs.add(job);
    if (!job.isOpened && !job.isFinished) job.setPageCount(response.pageCount);
  }

  private async requestPage(worker: WorkerProcess, job: DocumentJob, pageIndex: number) {
    const timeoutSeconds = Math.min(this.options.pageTimeoutSeconds, job.remainingSeconds);
    const { id: documentId, images } = job;
    const request = { kind: 'read', documentId, pageIndex, ...(images !== undefined && { images }) } as const;
    const response = await this.request(worker, job, request, { timeoutSeconds });
    if (response.kind === 'page' || response.kind === 'page-failed') return response;
    throw unexpectedResponse(response);
  }

  /** Sends a request, and adds its time to the job. */
  private async request(
    worker: WorkerProcess,
    job: DocumentJob,
    request: WorkerRequest,
    options: Omit<RequestOptions, 'signal'>,
  ): Promise<WorkerResponse> {
    const start = performance.now();
    try {
      return rejectErrors(await worker.request(request, { ...options, signal: job.signal }));
    } finally {
      job.addUsedTime((performance.now() - start) / 1_000);
      this.freshFor = request.kind === 'open' && this.isFreshFor(job) ? job.id : 'none';
    }
  }

  private async closeDocument(job: DocumentJob): Promise<void> {
    this.openJobs.delete(job);
    if (!this.worker?.isAlive) return;
    const request = { kind: 'close', documentId: job.id } as const;
    const options = { timeoutSeconds: this.options.openTimeoutSeconds, signal: neverAborted };
    try {
      const response = await this.worker.request(request, options);
      if (response.kind === 'closed' && response.memoryBytes > maxIdleMemoryBytes) await this.worker.kill();
    } catch {
      // The worker has died, which also closes the document.
    }
  }

  private openBytes(): number {
    return [...this.openJobs].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}

function rejectErrors(response: WorkerResponse): WorkerResponse {
  if (response.kind === 'document-error') throw new DocumentError(response.problem, response.message);
  if (response.kind === 'worker-failed') throw new ReaderFailedError(response.reason);
  return response;
}

function unexpectedResponse({ kind }: WorkerResponse): Error {
  return new Error(`The OCR worker sent an unexpected response: ${kind}.`);
}
