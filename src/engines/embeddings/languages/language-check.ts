import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher, DeadlineExceededError, QueueFullError } from '../../../common/continuous-batcher.js';
import { errorMessage } from '../../../common/errors/error-utils.js';
import { WorkerPool } from '../worker-pool.js';
import type { LanguageTask } from './worker.js';

/** Enough to recognize a language. Long texts then cost no more than short ones. */
const checkedCharacters = 300;
/** Takes up to 5 ms. Requests take turns after each task. */
const textsPerTask = 64;
const tasksPerBatch = 16;
const maxWaitingTasks = 10_000;
/** Longer than loading the detector takes. After that, the response goes without a warning. */
const deadlineMilliseconds = 5000;

/**
 * Finds texts in languages that a model doesn't know. Runs in a separate thread, which starts with the first check,
 * because loading the detector takes up to half a second, and a request may have thousands of texts. Concurrent requests
 * share messages to the thread, which cost as much as a check.
 */
@Injectable()
export class LanguageCheck implements OnApplicationShutdown {
  private readonly logger = new Logger('Engines');
  private readonly workers = new WorkerPool<typeof import('./worker.js')>({
    threads: 1,
    workerUrl: new URL('./worker.js', import.meta.url),
    workerData: undefined,
  });
  private readonly batcher = new ContinuousBatcher<LanguageTask, typeof this.workers, boolean>({
    lanes: [this.workers],
    maxBatchSize: tasksPerBatch,
    maxQueueLength: maxWaitingTasks,
    deadlineMilliseconds,
    execute: (workers, tasks) => workers.run('findOtherLanguages', tasks),
  });

  /**
   * Whether a text is clearly in none of these languages. A failed check returns false: embedding must not fail with it.
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
        if (await this.batcher.submit({ texts: beginnings, languages })) return true;
      }
    } catch (error) {
      const isOverloaded = error instanceof QueueFullError || error instanceof DeadlineExceededError;
      if (!isOverloaded) this.logger.warn(`The language of texts could not be checked: ${errorMessage(error)}`);
    }
    return false;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.close();
  }
}
