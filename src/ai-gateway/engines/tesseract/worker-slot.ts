import { EngineFailedError } from '../engine-errors.js';
import { DocumentError, type FailedPage, type ReadPage } from '../ocr-engine.js';
import { PackedPage } from './packed-page.js';
import type { Reading } from './reading.js';
import type { WorkerAnswer } from './worker-messages.js';
import { WorkerDied, type WorkerOptions, WorkerProcess, WorkerTimedOut } from './worker-process.js';

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
      if (error instanceof WorkerTimedOut) {
        const { openDeadlineSeconds } = this.options;
        throw new DocumentError('corrupt', `The document could not be opened within ${openDeadlineSeconds} s.`);
      }
      if (error instanceof WorkerDied)
        throw new DocumentError('corrupt', 'The document is damaged: its reader crashed.');
      throw error;
    }
  }

  /** @throws DocumentError and EngineFailedError as {@link open} does */
  async read(reading: Reading, pageIndex: number): Promise<ReadPage | FailedPage> {
    const fail = (failure: string): FailedPage => ({ index: pageIndex, failure: `Page ${pageIndex + 1} ${failure}` });
    try {
      return await this.twice(reading, async (worker) => {
        await this.openIn(worker, reading);
        const answer = await this.ask(worker, reading, pageIndex);
        return answer.kind === 'page' ? new PackedPage(pageIndex, answer) : fail(answer.failure);
      });
    } catch (error) {
      if (error instanceof WorkerTimedOut) return fail(`took longer than ${this.options.pageDeadlineSeconds} s.`);
      if (error instanceof WorkerDied) return fail('could not be read: its reader crashed.');
      throw error;
    }
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

  /** Once more when the worker dies, since the system may have ended it for a reason that is none of the document's. */
  private async twice<Result>(reading: Reading, task: (worker: WorkerProcess) => Promise<Result>): Promise<Result> {
    try {
      return await task(await this.liveWorker());
    } catch (error) {
      if (!(error instanceof WorkerDied) || reading.isOver || this.isClosed) throw error;
      return await task(await this.liveWorker());
    }
  }

  private async liveWorker(): Promise<WorkerProcess> {
    if (this.worker?.isAlive) return this.worker;
    this.opened.clear();
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
    const request = { kind: 'open', documentId, byteLength: bytes.length } as const;
    const answer = rejectRefusal(await worker.request(request, { deadlineSeconds, signal, bytes }));
    if (answer.kind !== 'opened') throw unexpected(answer);
    this.opened.add(reading);
    if (!reading.isOpened && !reading.isOver) reading.open(answer.pageCount);
  }

  private async ask(worker: WorkerProcess, { id: documentId, signal }: Reading, pageIndex: number) {
    const deadlineSeconds = this.options.pageDeadlineSeconds;
    const request = { kind: 'read', documentId, pageIndex } as const;
    const answer = rejectRefusal(await worker.request(request, { deadlineSeconds, signal }));
    if (answer.kind === 'page' || answer.kind === 'page-failed') return answer;
    throw unexpected(answer);
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
