import type { StaticOptions } from './options.js';
import { WorkerEngine, type WorkerEngineSettings } from '../worker-engine.js';

/** Runs a static model: one vector for each token, in model2vec's or sentence-transformers' format. */
export class StaticEngine extends WorkerEngine {
  constructor(options: StaticOptions, settings: WorkerEngineSettings = {}) {
    super({
      name: `static (${options.source})`,
      threads: options.threads,
      workerUrl: new URL('./worker.js', import.meta.url),
      workerData: options,
      ...settings,
    });
  }
}
