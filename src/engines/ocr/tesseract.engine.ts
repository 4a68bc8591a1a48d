import { Logger } from '@nestjs/common';
import type { DocumentJob } from '../../../document-reader/src/document-job.js';
import { DocumentReader, type DocumentReaderOptions } from '../../../document-reader/src/document-reader.js';
import { DataFolderError, MissingLanguageError, ReaderFailedError } from '../../../document-reader/src/errors.js';
import { Deadline } from '../../common/deadline.js';
import {
  maxDocumentBytes,
  maxDocumentPages,
  maxOcrLanguages,
  maxPageImages,
} from '../../common/rules/document-limits.js';
import { StartupError } from '../../common/startup-error.js';
import { defaultThreads } from '../default-threads.js';
import { type EngineClient, systemClient } from '../engine-client.js';
import { EngineFailedError } from '../engine-errors.js';
import { EngineState, type QueueLoad, type RetryDelays } from '../engine-state.js';
import { FairQueue } from '../fair-queue.js';
import { AdmittedDocuments, maxDocuments, maxDocumentsBytes } from './admitted-documents.js';
import type { FailedPage, OcrEngine, ReadOptions, ReadPage } from './ocr-engine.js';

type ReaderOptions = DocumentReaderOptions<EngineClient>;

export interface TesseractOptions extends Omit<
  ReaderOptions,
  'limits' | 'workers' | 'queue' | 'startDeadline' | 'onReducedIsolation'
> {
  /** Default: one per processor, at most four. Each takes 150 to 300 MB once it runs. */
  readonly workers?: number;
  /** Waiting and running documents, shared by organizations. */
  readonly maxDocuments?: number;
  /** Total size of these documents, shared by organizations. */
  readonly maxBytes?: number;
  readonly retryDelays?: RetryDelays;
}

const limits: ReaderOptions['limits'] = {
  maxBytes: maxDocumentBytes,
  maxPages: maxDocumentPages,
  maxPageImages,
  maxLanguages: maxOcrLanguages,
};
const logger = new Logger('OCR');
/** A white PNG of 64 × 64 pixels. */
const blankImage = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIPuX1hD77SAA6VEEAoFAIBAIBAKBQCAQ' +
    'fA8Gpwvw4qrwDDIAAAAASUVORK5CYII=',
  'base64',
);

/**
 * Has documents read by a `DocumentReader`. Organizations share the room for documents, and take turns page by page, as do
 * the keys of each.
 */
export class TesseractEngine implements OcrEngine {
  readonly languages: readonly string[];
  private readonly reader: DocumentReader<EngineClient>;
  private readonly documents: AdmittedDocuments;
  private readonly engineState: EngineState;
  private isClosed = false;

  /** @throws StartupError if the data of a language is not installed */
  constructor(options: TesseractOptions) {
    const name = options.nativeProgram === undefined ? 'tesseract' : 'tesseract-native';
    this.engineState = new EngineState(name, () => this.selfTest(), options.retryDelays);
    this.documents = new AdmittedDocuments(options.maxDocuments ?? maxDocuments, options.maxBytes ?? maxDocumentsBytes);
    this.reader = createReader(options);
    this.languages = this.reader.languages;
  }

  rejectIfBusy(client: EngineClient = systemClient): void {
    this.documents.rejectIfFull(client);
  }

  async read(document: Buffer, options: ReadOptions, signal: AbortSignal): Promise<(ReadPage | FailedPage)[]> {
    const { client = systemClient } = options;
    const onPage = (page: ReadPage | FailedPage) => {
      this.engineState.markReady();
      options.onPage?.(page);
    };
    const release = this.documents.admit(client, document.length);
    try {
      return await this.reader.read(document, { ...options, onPage }, signal, client);
    } catch (error) {
      throw this.explain(error);
    } finally {
      release();
    }
  }

  state(): ReturnType<OcrEngine['state']> {
    return this.engineState.value;
  }

  load(): QueueLoad {
    return this.reader.load();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.engineState.close();
    await this.reader.close();
  }

  private selfTest(): Promise<unknown> {
    return this.read(blankImage, { pages: undefined }, new AbortController().signal);
  }

  private explain(error: unknown): unknown {
    if (!(error instanceof ReaderFailedError)) return error;
    if (!this.isClosed) this.engineState.markFailed();
    return new EngineFailedError(error.message, { cause: error.cause });
  }
}

function createReader(options: TesseractOptions): DocumentReader<EngineClient> {
  try {
    return new DocumentReader({
      ...options,
      limits,
      workers: options.workers ?? defaultThreads(),
      queue: new FairQueue<DocumentJob<EngineClient>>(),
      startDeadline: (milliseconds, onExpired) => new Deadline(milliseconds, onExpired),
      onReducedIsolation: (missing) =>
        logger.warn(`OCR workers run with reduced isolation: ${missing.join('; ')}. See docs/security.md.`),
    });
  } catch (error) {
    throw toStartupError(error);
  }
}

function toStartupError(error: unknown): unknown {
  if (error instanceof MissingLanguageError) {
    const { language, packageName } = error;
    return new StartupError(
      `Data for the OCR language ${language} is not installed. ` +
        `Run npm install ${packageName}, or set OCR_DATA_DIR to a folder with ${language}.traineddata.`,
    );
  }
  if (error instanceof DataFolderError) {
    return new StartupError(`The folder in OCR_DATA_DIR cannot be read: ${error.message}`, { cause: error.cause });
  }
  return error;
}
