import path from 'node:path';
import type { PreTrainedModel, PreTrainedTokenizer } from '@huggingface/transformers';
import { errorCode, errorMessage } from '../../../common/errors/error-utils.js';
import type { TransformersWorkerSettings } from './worker-tasks.js';

export type Transformers = typeof import('@huggingface/transformers');

export interface LoadedModel {
  readonly transformers: Transformers;
  readonly tokenizer: PreTrainedTokenizer;
  readonly model: PreTrainedModel;
}

const ERRORS_ONLY = 3;

/**
 * Loads a model from its folder, or from the hub unless an earlier start has.
 *
 * @throws Error that says what to do
 */
export async function loadModel(settings: TransformersWorkerSettings): Promise<LoadedModel> {
  const { source, dtype, downloadFolder } = settings.options;
  const isFolder = path.isAbsolute(source);
  const transformers = await import('@huggingface/transformers');
  transformers.env.remoteHost = settings.hubUrl;
  transformers.env.allowLocalModels = isFolder;
  transformers.env.allowRemoteModels = !isFolder;
  transformers.env.cacheDir = downloadFolder;
  transformers.env.logLevel = transformers.LogLevel.NONE;
  try {
    const tokenizer = await transformers.AutoTokenizer.from_pretrained(source);
    const model = await transformers.AutoModel.from_pretrained(source, {
      dtype,
      device: 'cpu',
      // One thread for each worker, so that they do not compete.
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: ERRORS_ONLY },
    });
    return { transformers, tokenizer, model };
  } catch (error) {
    // The message says it all: of an error's other parts, not all come from one thread to another.
    throw new Error(explain(error, isFolder, settings), { cause: error });
  }
}

function explain(error: unknown, isFolder: boolean, { options, hubUrl }: TransformersWorkerSettings): string {
  const reason = errorMessage(error);
  if (isFolder) return `The model in ${options.source} could not be loaded: ${reason}`;
  const cause: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'cause') : undefined;
  if (cause !== undefined) {
    return `The model ${options.source} could not be loaded, because ${hubUrl} cannot be reached (${errorCode(cause) ?? errorMessage(cause)}). Let Keycard reach it, or put the model's files into a folder and give that as source.`;
  }
  return `The model ${options.source} could not be loaded from ${hubUrl}. Check its name, and whether it has an ONNX form with dtype ${options.dtype}: ${reason}`;
}
