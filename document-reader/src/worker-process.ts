import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { StartDeadline } from './deadline.js';
import { errorMessage } from './error-message.js';
import { ReaderFailedError } from './errors.js';
import type { LanguageCandidates } from './language-data.js';
import type { DocumentLimits } from './limits.js';
import { type NativeOptions, NativeTesseract } from './native/native-tesseract.js';
import { watchMemory } from './process-memory.js';
import {
  decodeResponse,
  type RecognizedMessage,
  type RecognizeMessage,
  responseDescriptor,
  responseLimits,
  type WorkerRequest,
  type WorkerResponse,
  type WorkerSettings,
} from './worker-messages.js';
import { readFrames, writeFrame } from './worker-pipe.js';
import { type OnReducedIsolation, type WorkerSandbox, workerSandbox } from './worker-sandbox.js';

export interface WorkerOptions {
  readonly candidates: LanguageCandidates;
  /** Has language data; absolute. */
  readonly dataFolder: string | undefined;
  /** The native Tesseract to use; undefined for WebAssembly. */
  readonly native: NativeOptions | undefined;
  /** The module that the process runs. */
  readonly workerUrl: URL;
  /**
   * How long a page may continue after its client has disconnected. A usual page ends in time, and starting a new worker
   * would cost more than the rest of it.
   */
  readonly graceSeconds: number;
  /** Resident memory beyond which the process is killed. */
  readonly memoryBytes: number;
  readonly limits: DocumentLimits;
  readonly startDeadline: StartDeadline;
  readonly onReducedIsolation: OnReducedIsolation;
}

export interface RequestOptions {
  readonly timeoutSeconds: number;
  /** An abort shortens the timeout to the grace period. */
  readonly signal: AbortSignal;
  /** The document, for an `open` request. */
  readonly bytes?: Buffer;
}

/** The process ended during a request, or sent an invalid response. */
export class WorkerDiedError extends Error {
  override name = 'WorkerDiedError';
}

/** The process was killed because it took too long. */
export class WorkerTimeoutError extends Error {
  override name = 'WorkerTimeoutError';
}

/** The process was killed because it used too much memory. */
export class WorkerMemoryError extends Error {
  override name = 'WorkerMemoryError';
}

const maxErrorTextLength = 2_000;
const megabyte = 1024 * 1024;
/** Limit of V8's heap. Most memory is outside, in the heaps of PDFium and Tesseract. */
const maxHeapMegabytes = 512;

/** A process that reads documents. A hostile document can crash or block it, but nothing else. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private readonly native: NativeTesseract | undefined;
  private hasEnded = false;
  private errorText = '';
  private pending: { resolve: (response: WorkerResponse) => void; reject: (error: Error) => void } | undefined;

  private constructor(
    private readonly options: WorkerOptions,
    sandbox: WorkerSandbox,
  ) {
    const { command, identity, nodeFlags, descriptors } = sandbox;
    const { candidates, native, dataFolder, workerUrl, memoryBytes, limits } = options;
    this.native = native && new NativeTesseract(native, sandbox, memoryBytes);
    const [first, ...prefix] = command;
    const heapMegabytes = Math.min(maxHeapMegabytes, Math.floor(memoryBytes / 2 / megabyte));
    const readable = dataFolder === undefined ? [] : [`--allow-fs-read=${path.join(dataFolder, '*')}`];
    const flags = [...nodeFlags, ...readable, `--max-old-space-size=${heapMegabytes}`];
    const program = native === undefined ? 'wasm' : 'native';
    const settings: WorkerSettings = { memoryBytes, program, candidates, dataFolder, limits };
    const args = [...prefix, ...flags, fileURLToPath(workerUrl), JSON.stringify(settings)];
    this.child = spawn(first, args, {
      ...identity,
      // Empty, because the parent's environment may contain secrets.
      env: {},
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...descriptors],
    });
    this.exited = new Promise((resolve) => {
      for (const event of ['exit', 'error']) this.child.once(event, resolve);
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errorText = (this.errorText + chunk.toString()).slice(-maxErrorTextLength);
    });
    // Emitted when the process ends, which `exit` reports.
    this.child.stdin?.on('error', () => undefined);
    this.child.on('exit', (code, signal) => this.end(`The worker exited with ${signal ?? code}. ${this.errorText}`));
    this.child.on('error', (error) => this.end(errorMessage(error)));
    readFrames(
      responsePipe(this.child),
      responseLimits,
      (frame) => this.receive(decodeResponse(frame, limits)),
      (error) => this.fail(new WorkerDiedError(`The worker sent an invalid response. ${error.message}`)),
    );
  }

  /** @throws WorkerDiedError, WorkerTimeoutError, WorkerMemoryError */
  static async start(options: WorkerOptions, timeoutSeconds: number): Promise<WorkerProcess> {
    const { workerUrl, onReducedIsolation } = options;
    const worker = new WorkerProcess(options, await workerSandbox(fileURLToPath(workerUrl), onReducedIsolation));
    await worker.nextResponse({ timeoutSeconds, signal: new AbortController().signal });
    return worker;
  }

  get isAlive(): boolean {
    return !this.hasEnded;
  }

  /**
   * Sends a request and waits for its response. Only one request may be pending.
   *
   * @throws WorkerDiedError, WorkerTimeoutError, WorkerMemoryError
   */
  async request(request: WorkerRequest, options: RequestOptions): Promise<WorkerResponse> {
    const response = this.nextResponse(options);
    if (this.child.stdin !== null) writeFrame(this.child.stdin, request, options.bytes);
    return response;
  }

  async kill(): Promise<void> {
    this.hasEnded = true;
    this.child.kill('SIGKILL');
    await Promise.all([this.exited, this.native?.kill()]);
  }

  private async nextResponse({ timeoutSeconds, signal }: RequestOptions): Promise<WorkerResponse> {
    if (!this.isAlive) throw new WorkerDiedError('The worker has exited.');
    const onTimeout = () => this.fail(new WorkerTimeoutError('The worker took too long.'));
    const { startDeadline, graceSeconds } = this.options;
    const deadlines = [startDeadline(timeoutSeconds * 1_000, onTimeout)];
    const onAbort = () => deadlines.push(startDeadline(graceSeconds * 1_000, onTimeout));
    signal.addEventListener('abort', onAbort);
    const stopWatching = watchMemory(this.child.pid ?? 0, this.options.memoryBytes, this.onMemoryExceeded);
    try {
      return await new Promise((resolve, reject) => (this.pending = { resolve, reject }));
    } finally {
      this.pending = undefined;
      stopWatching();
      signal.removeEventListener('abort', onAbort);
      for (const deadline of deadlines) deadline.clear();
    }
  }

  private receive(response: WorkerResponse): void {
    if (this.pending === undefined) {
      return this.fail(new WorkerDiedError('The worker sent a response without a request.'));
    }
    if (response.kind === 'out-of-memory') {
      return this.fail(new WorkerMemoryError('The worker has run out of memory.'));
    }
    if (response.kind === 'recognize') return void this.recognize(response);
    this.pending.resolve(response);
    this.pending = undefined;
  }

  private async recognize(message: RecognizeMessage): Promise<void> {
    try {
      if (this.native === undefined) throw new Error('The worker has asked for the native program.');
      const table = await this.native.recognize(message, this.onMemoryExceeded);
      const recognized: RecognizedMessage = { kind: 'recognized' };
      if (this.child.stdin !== null) writeFrame(this.child.stdin, recognized, Buffer.from(table));
    } catch (error) {
      this.fail(error instanceof ReaderFailedError ? error : new WorkerDiedError(errorMessage(error)));
    }
  }

  private readonly onMemoryExceeded = () => this.fail(new WorkerMemoryError('The worker used too much memory.'));

  private fail(error: Error): void {
    this.pending?.reject(error);
    void this.kill();
  }

  private end(reason: string): void {
    this.hasEnded = true;
    this.pending?.reject(new WorkerDiedError(reason));
    void this.native?.kill();
  }
}

function responsePipe(child: ChildProcess): Readable {
  const pipe = child.stdio[responseDescriptor];
  if (!(pipe instanceof Readable)) throw new TypeError('The worker has no response pipe.');
  pipe.on('error', () => undefined);
  return pipe;
}
