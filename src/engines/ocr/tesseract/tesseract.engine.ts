import { availableParallelism } from 'node:os';
import { fitsFairShare } from '../../../common/fair-share.js';
import { type EngineClient, systemClient } from '../../engine-client.js';
import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { EngineState, type RetryDelays } from '../../engine-state.js';
import { FairQueue } from '../../fair-queue.js';
import { DocumentError, type FailedPage, type OcrEngine, type ReadOptions, type ReadPage } from '../ocr-engine.js';
import { requireLanguages } from './language-data.js';
import { maxDocumentBytes } from './limits.js';
import { Reading, type TimeBudget } from './reading.js';
import { WorkerSlot } from './worker-slot.js';

export interface TesseractOptions {
  /** Such as `eng`, `deu`; their data must be installed. */
  readonly languages: readonly string[];
  /** Worker processes; without it one per processor, at most four. Each takes 150 to 300 MB once it runs. */
  readonly workers?: number;
  /** Documents that are read or wait at the same time. Organizations share them, and their bytes. */
  readonly maxDocuments?: number;
  /** Of these documents together. */
  readonly maxBytes?: number;
  readonly pageDeadlineSeconds?: number;
  readonly openDeadlineSeconds?: number;
  /** Time that workers may spend on a document, besides {@link pageSeconds} for each page asked for. */
  readonly documentSeconds?: number;
  readonly pageSeconds?: number;
  /** Resident memory of a worker, beyond which it is killed. */
  readonly workerMemoryBytes?: number;
  /** For a page under way whose client has gone. */
  readonly graceSeconds?: number;
  readonly retryDelays?: RetryDelays;
  /** The module that workers run, for tests of their failure. */
  readonly workerUrl?: URL;
}

interface Place {
  readonly slot: WorkerSlot;
  /** Whether it is serving turns. */
  isRunning: boolean;
}

const mostDefaultWorkers = 4;
const defaultWorkerMemoryBytes = 1024 * 1024 * 1024;
/** A white PNG of 64 × 64 pixels, which reads as an empty page. */
const blankImage = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIPuX1hD77SAA6VEEAoFAIBAIBAKBQCAQ' +
    'fA8Gpwvw4qrwDDIAAAAASUVORK5CYII=',
  'base64',
);
/** About the time of a few pages. */
const retryAfterSeconds = 5;

/**
 * Tesseract and PDFium in processes of their own: scans, photographs and PDFs as Markdown. No process runs before the
 * first use. Organizations, and then their documents, take turns page by page: a long document does not hold up others.
 */
export class TesseractEngine implements OcrEngine {
  private readonly places: Place[];
  private readonly budget: TimeBudget;
  private readonly maxDocuments: number;
  private readonly maxBytes: number;
  /** Those that are not over. */
  private readonly readings = new Set<Reading>();
  /** Those of them that have a page to be read and no worker at it. */
  private readonly turns = new FairQueue<Reading>();
  private nextId = 1;
  private readonly health: EngineState;
  private isClosed = false;

  /** @throws StartupError when the data of a language is not installed */
  constructor(options: TesseractOptions) {
    requireLanguages(options.languages);
    this.health = new EngineState('tesseract', () => this.tryOut(), options.retryDelays);
    const slotOptions = {
      languages: options.languages,
      workerUrl: options.workerUrl ?? new URL('./worker/main.js', import.meta.url),
      pageDeadlineSeconds: options.pageDeadlineSeconds ?? 60,
      openDeadlineSeconds: options.openDeadlineSeconds ?? 30,
      graceSeconds: options.graceSeconds ?? 5,
      memoryBytes: options.workerMemoryBytes ?? defaultWorkerMemoryBytes,
    };
    this.budget = { documentSeconds: options.documentSeconds ?? 120, pageSeconds: options.pageSeconds ?? 10 };
    const workers = options.workers ?? Math.min(mostDefaultWorkers, availableParallelism());
    this.places = Array.from({ length: workers }, () => ({ slot: new WorkerSlot(slotOptions), isRunning: false }));
    this.maxDocuments = options.maxDocuments ?? 64;
    this.maxBytes = options.maxBytes ?? 512 * 1024 * 1024;
  }

  refuseWhenBusy(client: EngineClient = systemClient): void {
    this.refuseUnlessFair(client, this.maxDocuments, 1, () => 1);
  }

  /** @param sizeOf how much of the limit a document takes */
  private refuseUnlessFair(
    { organizationId }: EngineClient,
    limit: number,
    wanted: number,
    sizeOf: (reading: Reading) => number,
  ): void {
    let used = 0;
    let held = 0;
    for (const reading of this.readings) {
      const size = sizeOf(reading);
      used += size;
      if (reading.client.organizationId === organizationId) held += size;
    }
    if (!fitsFairShare({ limit, used, held, wanted })) throw new EngineBusyError(retryAfterSeconds);
  }

  /** As {@link OcrEngine.read} says. A page under way for a client that has gone is given five seconds to end. */
  async read(document: Buffer, options: ReadOptions, signal: AbortSignal): Promise<(ReadPage | FailedPage)[]> {
    this.check(document, options.client);
    signal.throwIfAborted();
    const reading = new Reading(this.nextId++, document, options, signal, this.budget);
    this.readings.add(reading);
    this.turns.push(reading.client, reading);
    this.wake();
    try {
      return await reading.pages;
    } finally {
      this.readings.delete(reading);
      this.turns.remove(reading.client, reading);
    }
  }

  state(): ReturnType<OcrEngine['state']> {
    return this.health.value;
  }

  async close(): Promise<void> {
    this.health.close();
    this.isClosed = true;
    for (const reading of this.readings) reading.fail(closedError());
    await Promise.all(this.places.map(({ slot }) => slot.close()));
  }

  private tryOut(): Promise<unknown> {
    return this.read(blankImage, { pages: undefined }, new AbortController().signal);
  }

  private check(document: Buffer, client: EngineClient = systemClient): void {
    if (this.isClosed) throw closedError();
    if (document.length === 0) throw new DocumentError('empty', 'The document is empty.');
    if (document.length > maxDocumentBytes) {
      const limit = maxDocumentBytes / 1024 / 1024;
      throw new DocumentError('too-large', `The document must have at most ${limit} MB.`);
    }
    this.refuseWhenBusy(client);
    this.refuseUnlessFair(client, this.maxBytes, document.length, ({ bytes }) => bytes.length);
  }

  private wake(): void {
    for (const place of this.places) {
      if (place.isRunning || this.turns.size === 0) continue;
      void this.run(place);
    }
  }

  /** Serves turn after turn, until none is left. */
  private async run(place: Place): Promise<void> {
    const { slot } = place;
    place.isRunning = true;
    for (let reading = this.turns.shift(); reading !== undefined; reading = this.turns.shift()) {
      await this.serve(slot, reading).catch((error: unknown) => {
        if (error instanceof EngineFailedError) this.health.markFailed();
        reading?.fail(error);
      });
      await slot.tidy();
    }
    place.isRunning = false;
  }

  private async serve(slot: WorkerSlot, reading: Reading): Promise<void> {
    if (!reading.isOpened) await slot.open(reading);
    const pageIndex = reading.takePage();
    if (pageIndex === undefined) return;
    if (reading.hasWaitingPages) {
      this.turns.push(reading.client, reading);
      this.wake();
    }
    const page = await slot.read(reading, pageIndex);
    this.health.markReady();
    reading.add(page);
  }
}

const closedError = () => new EngineFailedError('The OCR engine is closed.');
