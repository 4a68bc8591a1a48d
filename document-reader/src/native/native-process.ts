import { type ChildProcess, spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { errorMessage } from '../error-message.js';
import { recognitionPriority } from '../limits.js';
import { type Method, neuralEngineMode, sauvolaFactor } from '../method.js';
import type { Raster } from '../worker/image/raster.js';
import type { WorkerSandbox } from '../worker-sandbox.js';
import { findProgram } from './find-program.js';
import { toTiff } from './tiff.js';
import { blankFileIn } from './unpacked-data.js';

interface NativeSettings {
  /** Absolute path of `tesseract`. */
  readonly program: string;
  readonly languages: readonly string[];
  readonly method: Method;
}

/** In UTF-16 code units. A page has at most 3 MB. */
const maxTableLength = 16 * 1024 * 1024;
const maxErrorTextLength = 2_000;
/** Where the process finds the image. */
const imageDescriptor = 3;

/**
 * A running `tesseract` that reads one image after the other: loading its data takes a quarter of the time of a page. It gets
 * the names of images on standard input. A blank image follows each one, because only the next result shows that a result
 * is complete.
 */
export class NativeProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private readonly blankFile: string;
  private pageCount = 0;
  /** The complete lines of the result, and the line that follows. */
  private lines: string[] = [];
  private lastLine = '';
  private length = 0;
  private errorText = '';
  private pending: { resolve: (table: string) => void; reject: (error: Error) => void } | undefined;

  /**
   * @param image where images are written to, which the process closes when it ends
   * @param folder has the language data and a blank image
   */
  constructor(
    private readonly image: FileHandle,
    { command, identity, descriptors }: WorkerSandbox,
    { program, languages, method }: NativeSettings,
    folder: string,
  ) {
    this.blankFile = blankFileIn(folder);
    const nice = findProgram('nice');
    const prefix = [...command.slice(0, -1), ...(nice === undefined ? [] : [nice, '-n', String(recognitionPriority)])];
    const [first = program, ...rest] = [...prefix, program];
    const args = [
      ...['-', '-', '--tessdata-dir', folder, '-l', languages.join('+')],
      ...['--oem', String(neuralEngineMode), '--psm', method.segmentation],
      ...variables({ thresholding_method: method.threshold, thresholding_kfactor: sauvolaFactor }),
      ...variables({ tessedit_create_tsv: '1', stream_filelist: '1' }),
    ];
    this.child = spawn(first, [...rest, ...args], {
      ...identity,
      // More threads cost more than they gain.
      env: { OMP_THREAD_LIMIT: '1' },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe', image.fd, ...descriptors],
    });
    this.ended = new Promise((resolve) => {
      for (const event of ['close', 'error']) this.child.once(event, () => resolve());
    });
    void this.ended.then(() => image.close());
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.receive(text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errorText = (this.errorText + text).slice(-maxErrorTextLength);
    });
    this.child.on('error', (error) => this.fail(errorMessage(error)));
    this.child.on('close', (code, signal) => this.fail(`tesseract exited with ${signal ?? code}. ${this.errorText}`));
  }

  /**
   * Waits until the process has loaded its data.
   *
   * @throws Error if it can't
   */
  async load(): Promise<void> {
    await this.next([this.blankFile]);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /**
   * Returns Tesseract's result table. Only one image may be read at a time.
   *
   * @throws Error if the process has ended
   */
  async recognize(image: Raster): Promise<string> {
    const bytes = toTiff(image);
    await this.image.write(bytes, 0, bytes.length, 0);
    return await this.next([`/dev/fd/${imageDescriptor}`, this.blankFile]);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Waits until the last of these files has been read, and returns the result of those before. */
  private next(files: readonly string[]): Promise<string> {
    this.pageCount += files.length;
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      if (this.child.exitCode !== null || this.child.signalCode !== null) this.fail('tesseract has exited.');
      this.child.stdin?.write(files.map((file) => `${file}\n`).join(''));
    });
  }

  private receive(text: string): void {
    this.lastLine += text;
    this.length += text.length;
    // The row of the last file, which is blank and has no other rows.
    const end = new RegExp(`^1\\t${this.pageCount}\\t.*\n`, 'm').exec(this.lastLine);
    const lineEnd = end?.index ?? this.lastLine.lastIndexOf('\n') + 1;
    this.lines.push(this.lastLine.slice(0, lineEnd));
    this.lastLine = this.lastLine.slice(lineEnd);
    if (this.length > maxTableLength) {
      this.fail('tesseract has written too much.');
      void this.kill();
    } else if (end !== null) {
      this.pending?.resolve(this.lines.join(''));
      this.pending = undefined;
      [this.lines, this.lastLine, this.length] = [[], '', 0];
    }
  }

  private fail(reason: string): void {
    this.pending?.reject(new Error(reason));
    this.pending = undefined;
  }
}

function variables(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
