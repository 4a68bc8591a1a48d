import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { errorMessage } from '../../../common/errors/error-utils.js';
import { WorkerPool } from '../worker-pool.js';

/** Enough to recognize a language, and the cost of a long text is that of a short one. */
const checkedCharacters = 300;
/** Takes about 5 ms. Requests take turns after each task. */
const textsPerTask = 64;

/**
 * Finds texts in languages that a model doesn't know. Runs in a thread of its own, which starts with the first check,
 * because loading the detector takes up to half a second, and a request may have thousands of texts.
 */
@Injectable()
export class LanguageCheck implements OnApplicationShutdown {
  private readonly logger = new Logger('Engines');
  private readonly workers = new WorkerPool<typeof import('./worker.js')>({
    threads: 1,
    workerUrl: new URL('./worker.js', import.meta.url),
    workerData: undefined,
  });

  /**
   * Whether a text is certainly in none of these languages. A failed check counts as no: embedding must not fail with it.
   *
   * @param languages ISO 639-1 codes
   */
  async findOtherLanguage(
    texts: readonly string[],
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      for (let first = 0; first < texts.length && !signal.aborted; first += textsPerTask) {
        const beginnings = texts.slice(first, first + textsPerTask).map((text) => text.slice(0, checkedCharacters));
        if (await this.workers.run('findOtherLanguage', { texts: beginnings, languages })) return true;
      }
    } catch (error) {
      this.logger.warn(`The language of texts could not be checked: ${errorMessage(error)}`);
    }
    return false;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.close();
  }
}
