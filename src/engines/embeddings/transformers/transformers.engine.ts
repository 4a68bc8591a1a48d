import type { TransformersOptions } from './options.js';
import { WorkerEngine, type WorkerEngineSettings } from '../worker-engine.js';
import type { TransformersWorkerSettings } from './load-model.js';

export interface TransformersEngineSettings extends WorkerEngineSettings {
  /** Source of models that aren't a folder. */
  readonly hubUrl?: string;
}

const defaultHubUrl = 'https://huggingface.co/';

/** Runs a sentence-transformers model in ONNX format with `@huggingface/transformers`. */
export class TransformersEngine extends WorkerEngine {
  constructor(options: TransformersOptions, { hubUrl = defaultHubUrl, ...settings }: TransformersEngineSettings = {}) {
    super({
      name: `transformers (${options.source})`,
      threads: options.threads,
      workerUrl: new URL('./worker.js', import.meta.url),
      workerData: { options, hubUrl } satisfies TransformersWorkerSettings,
      ...settings,
    });
  }
}
