import type { StaticOptions } from './options.js';
import { WorkerEngine, type WorkerEngineSettings } from '../worker-engine.js';

/** Runs a model of one vector for each token, in model2vec's format. */
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
