import { ReaderFailedError } from '../errors.js';
import { watchMemory } from '../process-memory.js';
import type { RecognizeMessage } from '../worker-messages.js';
import type { WorkerSandbox } from '../worker-sandbox.js';
import { NativeProcess } from './native-process.js';
import { openImageFile, type UnpackedData } from './unpacked-data.js';

export interface NativeOptions {
  /** Absolute path of `tesseract`. */
  readonly program: string;
  readonly data: UnpackedData;
}

/** Each takes about 50 MB. */
const maxProcesses = 4;

/** The native Tesseract of one worker, as a process for each combination of languages and method. */
export class NativeTesseract {
  /** The most recently used last. */
  private readonly processes = new Map<string, NativeProcess>();
  private isKilled = false;
  private isBusy = false;

  constructor(
    private readonly options: NativeOptions,
    private readonly sandbox: WorkerSandbox,
    private readonly memoryBytes: number,
  ) {}

  /**
   * Returns Tesseract's result table.
   *
   * @param onMemoryExceeded called if a process uses too much memory; it still runs
   * @throws ReaderFailedError if no process can start; Error if it ends before the image was read
   */
  async recognize(message: RecognizeMessage, onMemoryExceeded: () => void): Promise<string> {
    if (this.isBusy) throw new Error('The worker sent two images at once.');
    this.isBusy = true;
    try {
      const process = await this.processFor(message);
      const stopWatching = watchMemory(process.pid, this.memoryBytes, onMemoryExceeded);
      return await process.recognize(message.image).finally(stopWatching);
    } finally {
      this.isBusy = false;
    }
  }

  async kill(): Promise<void> {
    this.isKilled = true;
    await Promise.all(Array.from(this.processes.values(), (process) => process.kill()));
  }

  private async processFor({ languages, method }: RecognizeMessage): Promise<NativeProcess> {
    const key = JSON.stringify([languages, method]);
    const process = this.processes.get(key) ?? (await this.start(key, { languages, method }));
    this.processes.delete(key);
    this.processes.set(key, process);
    const [oldest] = this.processes;
    if (oldest !== undefined && this.processes.size > maxProcesses) {
      this.processes.delete(oldest[0]);
      await oldest[1].kill();
    }
    return process;
  }

  private async start(key: string, settings: Pick<RecognizeMessage, 'languages' | 'method'>): Promise<NativeProcess> {
    const { program, data } = this.options;
    try {
      const folder = await data.folderWith(settings.languages);
      const image = await openImageFile(folder);
      if (this.isKilled) {
        await image.close();
        throw new Error('The worker was killed.');
      }
      const process = new NativeProcess(image, this.sandbox, { program, ...settings }, folder);
      this.processes.set(key, process);
      await process.load();
      return process;
    } catch (cause) {
      throw new ReaderFailedError('The program tesseract could not be started.', { cause });
    }
  }
}
