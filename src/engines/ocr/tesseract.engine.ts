import { documentTooLargeMessage, maxDocumentBytes } from '../../../common/rules/document-limits.js';
import { fitsFairShare } from '../../../common/fair-share.js';
import { defaultThreads } from '../../default-threads.js';
import { type EngineClient, systemClient } from '../../engine-client.js';
import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { EngineState, type RetryDelays, type QueueLoad } from '../../engine-state.js';
import { FairQueue } from '../../fair-queue.js';
import { DocumentError, type FailedPage, type OcrEngine, type ReadOptions, type ReadPage } from '../ocr-engine.js';
import { DocumentJob, type TimeBudget } from './document-job.js';
import { autoLanguages, LanguageData } from './language-data.js';
import {
  documentBudgetSeconds,
  maxDocuments,
  maxDocumentsBytes,
  pageBudgetSeconds,
  pageTimeoutSeconds,
} from './limits.js';
import type { NativeOptions } from './native/native-tesseract.js';
import { UnpackedData } from './native/unpacked-data.js';
import { WorkerSlot } from './worker-slot.js';

export interface TesseractOptions {
  /** Codes such as `eng` and `deu`, the most frequent first. Their data must be installed. `auto`: all that is installed. */
  readonly languages: readonly string[] | 'auto';
  /** Absolute path of the native Tesseract. Default: the one that is part of Keycard, as WebAssembly. */
  readonly nativeProgram?: string | undefined;
  /** Folder with further language data, `*.traineddata`; absolute. */
  readonly dataFolder?: string | undefined;
  /** Default: one per processor, at most four. Each takes 150 to 300 MB once it runs. */
  readonly workers?: number;
  /** Waiting and running documents, shared by organizations. */
  readonly maxDocuments?: number;
  /** Total size of these documents, shared by organizations. */
  readonly maxBytes?: number;
  readonly pageTimeoutSeconds?: number;
  readonly openTimeoutSeconds?: number;
  /** Worker time per document, in addition to {@link pageBudgetSeconds}. */
  readonly documentBudgetSeconds?: number;
  /** Worker time per requested page of a document. */
  readonly pageBudgetSeconds?: number;
  /** Resident memory beyond which a worker is killed. */
  readonly workerMemoryBytes?: number;
  /** How long a page may continue after its client has disconnected. */
  readonly graceSeconds?: number;
  readonly retryDelays?: RetryDelays;
  /** The module that workers run. Tests replace it to simulate failures. */
  readonly workerUrl?: URL;
}

const defaultWorkerMemoryBytes = 1024 * 1024 * 1024;
/** A white PNG of 64 × 64 pixels. */
const blankImage = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIPuX1hD77SAA6VEEAoFAIBAIBAKBQCAQ' +
    'fA8Gpwvw4qrwDDIAAAAASUVORK5CYII=',
  'base64',
);
/** About the time of a few pages. */
const retryAfterSeconds = 5;

/**
 * Converts scans, photos and PDFs to Markdown with Tesseract and PDFium, in child processes that start at the first use.
 * Organizations and their documents take turns page by page, so a long document doesn't block others.
 */
export class TesseractEngine implements OcrEngine {
  readonly languages: readonly string[];
  private readonly slots: WorkerSlot[];
  private readonly busySlots = new Set<WorkerSlot>();
  private readonly budget: TimeBudget;
  private readonly maxDocuments: number;
  private readonly maxBytes: number;
  /** Unfinished jobs. */
  private readonly jobs = new Set<DocumentJob>();
  /** Jobs with work for another worker. */
  private readonly queue = new FairQueue<DocumentJob>();
  private nextJobId = 1;
  private readonly engineState: EngineState;
  private readonly native: NativeOptions | undefined;
  private isClosed = false;

  /** @throws StartupError if the data of a language is not installed */
  constructor(options: TesseractOptions) {
    const data = new LanguageData(options.dataFolder);
    this.languages = data.languages();
    const candidates =
      options.languages === 'auto'
        ? autoLanguages(this.languages)
        : { languages: options.languages, areAutomatic: false };
    data.requireAll(candidates.languages);
    const { nativeProgram: program } = options;
    this.native = program === undefined ? undefined : { program, data: new UnpackedData(data) };
    const name = program === undefined ? 'tesseract' : 'tesseract-native';
    this.engineState = new EngineState(name, () => this.selfTest(), options.retryDelays);
    const slotOptions = {
      candidates,
      native: this.native,
      dataFolder: options.dataFolder,
      workerUrl: options.workerUrl ?? new URL('./worker/main.js', import.meta.url),
      pageTimeoutSeconds: options.pageTimeoutSeconds ?? pageTimeoutSeconds,
      openTimeoutSeconds: options.openTimeoutSeconds ?? 30,
      graceSeconds: options.graceSeconds ?? 5,
      memoryBytes: options.workerMemoryBytes ?? defaultWorkerMemoryBytes,
    };
    this.budget = {
      documentSeconds: options.documentBudgetSeconds ?? documentBudgetSeconds,
      pageSeconds: options.pageBudgetSeconds ?? pageBudgetSeconds,
    };
    this.slots = Array.from({ length: options.workers ?? defaultThreads() }, () => new WorkerSlot(slotOptions));
    this.maxDocuments = options.maxDocuments ?? maxDocuments;
    this.maxBytes = options.maxBytes ?? maxDocumentsBytes;
  }

  rejectIfBusy(client: EngineClient = systemClient): void {
    this.requireFairShare(client, this.maxDocuments, 1, () => 1);
  }

  async read(document: Buffer, options: ReadOptions, signal: AbortSignal): Promise<(ReadPage | FailedPage)[]> {
    this.check(document, options.client);
    signal.throwIfAborted();
    const job = new DocumentJob(this.nextJobId++, document, options, signal, this.budget);
    this.jobs.add(job);
    this.queue.push(job.client, job);
    this.startIdleSlots();
    try {
      return await job.pages;
    } finally {
      this.jobs.delete(job);
      this.queue.remove(job.client, job);
    }
  }

  state(): ReturnType<OcrEngine['state']> {
    return this.engineState.value;
  }

  load(): QueueLoad {
    return { waiting: this.queue.size, busyWorkers: this.busySlots.size, workers: this.slots.length };
  }

  async close(): Promise<void> {
    this.engineState.close();
    this.isClosed = true;
    for (const job of this.jobs) job.fail(closedError());
    await Promise.all(this.slots.map((slot) => slot.close()));
    await this.native?.data.remove();
  }

  private selfTest(): Promise<unknown> {
    return this.read(blankImage, { pages: undefined }, new AbortController().signal);
  }

  private check(document: Buffer, client: EngineClient = systemClient): void {
    if (this.isClosed) throw closedError();
    if (document.length === 0) throw new DocumentError('empty', 'The document is empty.');
    if (document.length > maxDocumentBytes) {
      throw new DocumentError('too-large', documentTooLargeMessage);
    }
    this.rejectIfBusy(client);
    this.requireFairShare(client, this.maxBytes, document.length, ({ bytes }) => bytes.length);
  }

  /** @param sizeOf returns the part of the limit that a job uses */
  private requireFairShare(
    { organizationId }: EngineClient,
    limit: number,
    wanted: number,
    sizeOf: (job: DocumentJob) => number,
  ): void {
    let used = 0;
    let held = 0;
    for (const job of this.jobs) {
      const size = sizeOf(job);
      used += size;
      if (job.client.organizationId === organizationId) held += size;
    }
    if (!fitsFairShare({ limit, used, held, wanted })) throw new EngineBusyError(retryAfterSeconds);
  }

  private startIdleSlots(): void {
    for (const slot of this.slots) {
      if (!this.busySlots.has(slot) && this.queue.size > 0) void this.run(slot);
    }
  }

  /** Works until the queue is empty. */
  private async run(slot: WorkerSlot): Promise<void> {
    this.busySlots.add(slot);
    for (let job = this.queue.shift(); job !== undefined; job = this.queue.shift()) {
      await this.readNextPage(slot, job).catch((error: unknown) => {
        if (error instanceof EngineFailedError) this.engineState.markFailed();
        job?.fail(error);
      });
      await slot.closeFinishedJobs();
    }
    this.busySlots.delete(slot);
  }

  private async readNextPage(slot: WorkerSlot, job: DocumentJob): Promise<void> {
    if (!job.isOpened) {
      await slot.open(job);
      await job.requestPermission();
    }
    const pageIndex = job.takePage();
    if (pageIndex === undefined) return;
    if (job.hasWaitingPages) {
      // Other workers may read the next pages.
      this.queue.push(job.client, job);
      this.startIdleSlots();
    }
    const page = await slot.read(job, pageIndex);
    this.engineState.markReady();
    job.addResult(page);
  }
}

function closedError(): EngineFailedError {
  return new EngineFailedError('The OCR engine is closed.');
}
