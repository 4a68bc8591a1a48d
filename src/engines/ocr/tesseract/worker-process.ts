import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../../common/errors/error-utils.js';
import { readFrames, writeFrame } from './frames.js';
import { watchMemory } from './process-memory.js';
import { type WorkerSandbox, workerSandbox } from './worker-sandbox.js';
import {
  answerDescriptor,
  answerLimits,
  decodeAnswer,
  type WorkerAnswer,
  type WorkerRequest,
} from './worker-messages.js';

export interface WorkerOptions {
  readonly languages: readonly string[];
  /** The module that the process runs. */
  readonly workerUrl: URL;
  /**
   * How long a page may go on for a client that has gone. A usual page ends within it, and a new worker costs more
   * than the rest of that page; a page that hangs ends with it.
   */
  readonly graceSeconds: number;
  /** Resident memory beyond which the process is killed. */
  readonly memoryBytes: number;
}

export interface RequestOptions {
  readonly deadlineSeconds: number;
  /** When it is aborted, the deadline is at most the grace away. */
  readonly signal: AbortSignal;
  /** The document, for an `open`. */
  readonly bytes?: Buffer;
}

/** The process ended during a request; nothing is known of the reason. */
export class WorkerDied extends Error {
  override name = 'WorkerDied';
}

/** The process was killed because it took too long. */
export class WorkerTimedOut extends Error {
  override name = 'WorkerTimedOut';
}

/** The process was killed because it used too much memory. */
export class WorkerOutOfMemory extends Error {
  override name = 'WorkerOutOfMemory';
}

const keptErrorCharacters = 2_000;
const megabyte = 1024 * 1024;
/** Of V8's own heap; most memory is outside it, in the heaps of PDFium and Tesseract. */
const mostHeapMegabytes = 512;

/** A process that reads documents. What it does may crash or hang on a hostile one, and then it alone is lost. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private hasEnded = false;
  private errorText = '';
  private settle: { resolve: (answer: WorkerAnswer) => void; reject: (error: Error) => void } | undefined;

  private constructor(
    private readonly options: WorkerOptions,
    { command, identity, nodeFlags, descriptors }: WorkerSandbox,
  ) {
    const { languages, workerUrl, memoryBytes } = options;
    const [program, ...prefix] = command;
    const heapMegabytes = Math.min(mostHeapMegabytes, Math.floor(memoryBytes / 2 / megabyte));
    const flags = [...nodeFlags, `--max-old-space-size=${heapMegabytes}`];
    const args = [...prefix, ...flags, fileURLToPath(workerUrl), String(memoryBytes), ...languages];
    this.child = spawn(program, args, {
      ...identity,
      // No secret of the service is of use to it.
      env: {},
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...descriptors],
    });
    this.exited = new Promise((resolve) => {
      for (const event of ['exit', 'error']) this.child.once(event, resolve);
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errorText = (this.errorText + chunk.toString()).slice(-keptErrorCharacters);
    });
    // It breaks when the process ends, which `exit` reports.
    this.child.stdin?.on('error', () => undefined);
    this.child.on('exit', (code, signal) => this.end(`It ended with ${signal ?? code}. ${this.errorText}`));
    this.child.on('error', (error) => this.end(errorMessage(error)));
    readFrames(
      answersOf(this.child),
      answerLimits,
      (frame) => this.receive(decodeAnswer(frame)),
      (error) => this.fail(new WorkerDied(`It sent an invalid answer. ${error.message}`)),
    );
  }

  /** @throws WorkerDied, WorkerTimedOut, WorkerOutOfMemory */
  static async start(options: WorkerOptions, deadlineSeconds: number): Promise<WorkerProcess> {
    const worker = new WorkerProcess(options, await workerSandbox(fileURLToPath(options.workerUrl)));
    await worker.nextAnswer({ deadlineSeconds, signal: new AbortController().signal });
    return worker;
  }

  get isAlive(): boolean {
    return !this.hasEnded;
  }

  /**
   * Asks for something, while nothing else is asked for.
   *
   * @throws WorkerDied, WorkerTimedOut, WorkerOutOfMemory
   */
  async request(request: WorkerRequest, options: RequestOptions): Promise<WorkerAnswer> {
    const answer = this.nextAnswer(options);
    if (this.child.stdin !== null) writeFrame(this.child.stdin, request, options.bytes);
    return answer;
  }

  /** Ends the process, whatever it does. */
  async kill(): Promise<void> {
    this.hasEnded = true;
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private async nextAnswer({ deadlineSeconds, signal }: RequestOptions): Promise<WorkerAnswer> {
    if (!this.isAlive) throw new WorkerDied('It has ended.');
    const expire = () => this.fail(new WorkerTimedOut('It took too long.'));
    const timers = [setTimeout(expire, deadlineSeconds * 1_000)];
    const hurry = () => timers.push(setTimeout(expire, this.options.graceSeconds * 1_000));
    signal.addEventListener('abort', hurry);
    const exceed = () => this.fail(new WorkerOutOfMemory('It used too much memory.'));
    const stopWatching = watchMemory(this.child.pid ?? 0, this.options.memoryBytes, exceed);
    try {
      return await new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    } finally {
      this.settle = undefined;
      stopWatching();
      signal.removeEventListener('abort', hurry);
      for (const timer of timers) clearTimeout(timer);
    }
  }

  private receive(answer: WorkerAnswer): void {
    if (this.settle === undefined) return this.fail(new WorkerDied('It answered without a request.'));
    if (answer.kind === 'out-of-memory') return this.fail(new WorkerOutOfMemory('It has no memory left.'));
    this.settle.resolve(answer);
    this.settle = undefined;
  }

  private fail(error: Error): void {
    this.settle?.reject(error);
    void this.kill();
  }

  private end(reason: string): void {
    this.hasEnded = true;
    this.settle?.reject(new WorkerDied(reason));
  }
}

function answersOf(child: ChildProcess): Readable {
  const pipe = child.stdio[answerDescriptor];
  if (!(pipe instanceof Readable)) throw new TypeError('The worker has no pipe for its answers.');
  pipe.on('error', () => undefined);
  return pipe;
}
