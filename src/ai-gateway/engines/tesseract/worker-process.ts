import { type ChildProcess, fork } from 'node:child_process';
import { Writable } from 'node:stream';
import { errorMessage } from '../../../common/errors/error-facts.js';
import { documentPipe, type WorkerAnswer, type WorkerRequest } from './worker-messages.js';

export interface WorkerOptions {
  readonly languages: readonly string[];
  /** The module that the process runs. */
  readonly workerUrl: URL;
  /**
   * How long a page may go on for a client that has gone. A usual page ends within it, and a new worker costs more
   * than the rest of that page; a page that hangs ends with it.
   */
  readonly graceSeconds: number;
}

export interface RequestOptions {
  readonly deadlineSeconds: number;
  /** When it is aborted, the deadline is at most the grace away. */
  readonly signal: AbortSignal;
  /** Of the document that follows an `open`. */
  readonly bytes?: Buffer;
}

/** The process ended while it was asked; nothing is known of the reason. */
export class WorkerDied extends Error {
  override name = 'WorkerDied';
}

/** The process was killed because it took too long. */
export class WorkerTimedOut extends Error {
  override name = 'WorkerTimedOut';
}

const keptErrorCharacters = 2_000;

/** A process that reads documents. What it does may crash or hang on a hostile one, and then it alone is lost. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly pipe: Writable;
  private readonly exited: Promise<unknown>;
  private errorText = '';
  private settle: { resolve: (answer: WorkerAnswer) => void; reject: (error: Error) => void } | undefined;

  private constructor(private readonly options: WorkerOptions) {
    const { languages, workerUrl } = options;
    this.child = fork(workerUrl, [...languages], {
      // No secret of the service is of use to it.
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    });
    this.pipe = pipeOf(this.child);
    this.exited = new Promise((resolve) => {
      for (const event of ['exit', 'error']) this.child.once(event, resolve);
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errorText = (this.errorText + chunk.toString()).slice(-keptErrorCharacters);
    });
    this.child.on('message', (answer: WorkerAnswer) => this.settle?.resolve(answer));
    this.child.on('exit', (code, signal) =>
      this.lose(new WorkerDied(`It ended with ${signal ?? code}. ${this.errorText}`)),
    );
    this.child.on('error', (error) => this.lose(new WorkerDied(errorMessage(error))));
  }

  /** @throws WorkerDied, WorkerTimedOut */
  static async start(options: WorkerOptions, deadlineSeconds: number): Promise<WorkerProcess> {
    const worker = new WorkerProcess(options);
    await worker.nextAnswer({ deadlineSeconds, signal: new AbortController().signal });
    return worker;
  }

  get isAlive(): boolean {
    const { connected, killed, exitCode, signalCode } = this.child;
    return connected && !killed && exitCode === null && signalCode === null;
  }

  /**
   * Asks for something, while nothing else is asked for.
   *
   * @throws WorkerDied, WorkerTimedOut
   */
  async request(request: WorkerRequest, options: RequestOptions): Promise<WorkerAnswer> {
    const answer = this.nextAnswer(options);
    // Failing to send is seen as the exit that it comes from.
    this.child.send(request, () => undefined);
    if (options.bytes !== undefined) this.pipe.write(options.bytes);
    return answer;
  }

  /** Ends the process, whatever it does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private async nextAnswer({ deadlineSeconds, signal }: RequestOptions): Promise<WorkerAnswer> {
    if (!this.isAlive) throw new WorkerDied('It has ended.');
    const expire = () => {
      this.settle?.reject(new WorkerTimedOut('It took too long.'));
      this.child.kill('SIGKILL');
    };
    const timers = [setTimeout(expire, deadlineSeconds * 1_000)];
    const hurry = () => timers.push(setTimeout(expire, this.options.graceSeconds * 1_000));
    signal.addEventListener('abort', hurry);
    try {
      return await new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    } finally {
      this.settle = undefined;
      signal.removeEventListener('abort', hurry);
      for (const timer of timers) clearTimeout(timer);
    }
  }

  private lose(error: WorkerDied): void {
    this.settle?.reject(error);
  }
}

function pipeOf(child: ChildProcess): Writable {
  const pipe = child.stdio[documentPipe];
  if (!(pipe instanceof Writable)) throw new TypeError('The worker has no pipe for documents.');
  // It breaks when the process ends, which is seen by itself.
  pipe.on('error', () => undefined);
  return pipe;
}
