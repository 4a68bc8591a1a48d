import type { TransformersOptions } from '../../../config/model-definition.js';

/** Given to each worker at its start. */
export interface TransformersWorkerSettings {
  readonly options: TransformersOptions;
  /** Where models that are no folder come from, such as `https://huggingface.co/`. */
  readonly hubUrl: string;
}
