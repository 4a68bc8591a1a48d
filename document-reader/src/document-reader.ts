import { startTimer, type StartDeadline } from './deadline.js';
import { DocumentJob, type TimeBudget } from './document-job.js';
import { ArrivalQueue, type DocumentQueue } from './document-queue.js';
import { DocumentError, ReaderFailedError } from './errors.js';
import { autoLanguages, LanguageData } from './language-data.js';
import { documentBudgetSeconds, type DocumentLimits, pageBudgetSeconds, pageTimeoutSeconds } from './limits.js';
import type { NativeOptions } from './native/native-tesseract.js';
import { UnpackedData } from './native/unpacked-data.js';
import type { FailedPage, ReadOptions, ReadPage } from './read-page.js';
import { WorkerSlot } from './worker-slot.js';

export interface DocumentReaderOptions<Client> {
  /** Codes such as `eng` and `deu`, the most frequent first. Their data must be installed. `auto`: all that is installed. */
  readonly languages: readonly string[] | 'auto';
  readonly limits: DocumentLimits;
  /** Number of worker processes. Each takes 150 to 300 MB once it runs. */
  readonly workers: number;
  /** Waiting documents. Default: they take turns in the order of their arrival. */
  readonly queue?: DocumentQueue<Client>;
  /** Absolute path of the native Tesseract. Default: Tesseract as WebAssembly. */
  readonly nativeProgram?: string | undefined;
  /** Folder with further language data, `*.traineddata`; absolute. */
  readonly dataFolder?: string | undefined;
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
  /** Measures the time limits. Default: plain timers. */
  readonly startDeadline?: StartDeadline;
  /** Called when the first worker of the process starts, if the machine lacks protections. */
  readonly onReducedIsolation?: (missing: readonly string[]) => void;
  /** The module that workers run. Tests replace it to simulate failures. */
  readonly workerUrl?: URL;
}

/** How much work a reader has. */
export interface ReaderLoad {
  /** Documents with pages that no worker is reading yet. */
  readonly waiting: number;
  readonly busyWorkers: number;
  readonly workers: number;
}

const defaultWorkerMemoryBytes = 1024 * 1024 * 1024;
const megabyte = 1024 * 1024;

/**
 * Converts scans, photos and PDFs to Markdown with Tesseract and PDFium, in child processes that start at the first use.
 * Documents take turns page by page, so a long one doesn't block others. Callers limit how many wait.
 */
export class DocumentReader<Client = void> {
  /** Languages whose data is installed. */
  readonly languages: readonly string[];
  private readonly limits: DocumentLimits;
  private readonly slots: WorkerSlot[];
  private readonly busySlots = new Set<WorkerSlot>();
  private readonly budget: TimeBudget;
  /** Unfinished jobs. */
  private readonly jobs = new Set<DocumentJob<Client>>();
  /** Jobs with work for another worker. */
  private readonly queue: DocumentQueue<Client>;
  private nextJobId = 1;
  private readonly native: NativeOptions | undefined;
  private isClosed = false;

  /** @throws MissingLanguageError if the data of a language is not installed; DataFolderError if its folder can't be read */
  constructor(options: DocumentReaderOptions<Client>) {
    const data = new LanguageData(options.dataFolder);
    this.languages = data.languages();
    const candidates =
      options.languages === 'auto'
        ? autoLanguages(this.languages)
        : { languages: options.languages, areAutomatic: false };
    data.requireAll(candidates.languages);
    const { nativeProgram: program } = options;
    this.native = program === undefined ? undefined : { program, data: new UnpackedData(data) };
    this.limits = options.limits;
    const slotOptions = {
      candidates,
      native: this.native,
      dataFolder: options.dataFolder,
      workerUrl: options.workerUrl ?? new URL('./worker/main.js', import.meta.url),
      pageTimeoutSeconds: options.pageTimeoutSeconds ?? pageTimeoutSeconds,
      openTimeoutSeconds: options.openTimeoutSeconds ?? 30,
      graceSeconds: options.graceSeconds ?? 5,
      memoryBytes: options.workerMemoryBytes ?? defaultWorkerMemoryBytes,
      limits: options.limits,
      startDeadline: options.startDeadline ?? startTimer,
      onReducedIsolation: options.onReducedIsolation ?? (() => undefined),
    };
    this.budget = {
      documentSeconds: options.documentBudgetSeconds ?? documentBudgetSeconds,
      pageSeconds: options.pageBudgetSeconds ?? pageBudgetSeconds,
    };
    this.slots = Array.from({ length: options.workers }, () => new WorkerSlot(slotOptions));
    this.queue = options.queue ?? new ArrivalQueue();
  }

  /**
   * Returns the requested pages in ascending order.
   *
   * @param signal after an abort, work on the document stops
   * @param client for the queue
   * @throws DocumentError if the document can't be read at all; ReaderFailedError if no worker can run; the signal's reason
   */
  async read(
    document: Buffer,
    options: ReadOptions,
    signal: AbortSignal,
    client: Client,
  ): Promise<(ReadPage | FailedPage)[]> {
    this.check(document);
    signal.throwIfAborted();
    const job = new DocumentJob(this.nextJobId++, client, document, options, signal, this.budget);
    this.jobs.add(job);
    this.queue.push(client, job);
    this.startIdleSlots();
    try {
      return await job.pages;
    } finally {
      this.jobs.delete(job);
      this.queue.remove(client, job);
    }
  }

  load(): ReaderLoad {
    return { waiting: this.queue.size, busyWorkers: this.busySlots.size, workers: this.slots.length };
  }

  /** Ends the workers and rejects waiting work. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const job of this.jobs) job.fail(closedError());
    await Promise.all(this.slots.map((slot) => slot.close()));
    await this.native?.data.remove();
  }

  private check(document: Buffer): void {
    if (this.isClosed) throw closedError();
    if (document.length === 0) throw new DocumentError('empty', 'The document is empty.');
    const { maxBytes } = this.limits;
    if (document.length > maxBytes) {
      throw new DocumentError('too-large', `The document must be at most ${maxBytes / megabyte} MB.`);
    }
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
      await this.readNextPage(slot, job).catch((error: unknown) => job?.fail(error));
      await slot.closeFinishedJobs();
    }
    this.busySlots.delete(slot);
  }

  private async readNextPage(slot: WorkerSlot, job: DocumentJob<Client>): Promise<void> {
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
    job.addResult(await slot.read(job, pageIndex));
  }
}

function closedError(): ReaderFailedError {
  return new ReaderFailedError('The document reader is closed.');
}
