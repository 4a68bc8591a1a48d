import path from 'node:path';
import type { PreTrainedModel, PreTrainedTokenizer } from '@huggingface/transformers';
import { errorCode, errorMessage } from '../../../common/errors/error-utils.js';
import type { TransformersOptions } from './options.js';

/** Passed to each worker when it starts. */
export interface TransformersWorkerSettings {
  readonly options: TransformersOptions;
  /** Source of models that aren't a folder, such as `https://huggingface.co/`. */
  readonly hubUrl: string;
}

export interface LoadedModel {
  readonly transformers: typeof import('@huggingface/transformers');
  readonly tokenizer: PreTrainedTokenizer;
  readonly model: PreTrainedModel;
}

const onnxruntimeErrorsOnly = 3;

/**
 * Loads a model from its folder, from the download folder, or from the hub.
 *
 * @throws Error with a message for the operator
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
      // One thread per worker, so that workers don't compete.
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: onnxruntimeErrorsOnly },
    });
    return { transformers, tokenizer, model };
  } catch (error) {
    // The message contains everything, because other properties of an error may get lost between threads.
    throw new Error(explainFailure(error, isFolder, settings), { cause: error });
  }
}

function explainFailure(error: unknown, isFolder: boolean, { options, hubUrl }: TransformersWorkerSettings): string {
  const reason = errorMessage(error);
  if (isFolder) return `The model in ${options.source} could not be loaded: ${reason}`;
  const cause: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'cause') : undefined;
  if (cause !== undefined) {
    return `The model ${options.source} could not be loaded because ${hubUrl} is unreachable (${errorCode(cause) ?? errorMessage(cause)}). Allow Keycard to reach it, or copy the model to a folder and use that as source.`;
  }
  return `The model ${options.source} could not be loaded from ${hubUrl}. Check its name, and that it is available in ONNX format with dtype ${options.dtype}: ${reason}`;
}

/** Model families that number positions from `pad_token_id + 1`, so they can't use the first ones. */
const familiesWithPositionOffset = ['roberta', 'xlm-roberta', 'camembert', 'mpnet'];

/** Fields of `config.json` and `tokenizer_config.json` that limit the length of a text. */
interface LengthConfig {
  readonly model_type?: unknown;
  readonly max_position_embeddings?: unknown;
  readonly pad_token_id?: unknown;
  readonly model_max_length?: unknown;
}

/** Returns the maximum number of tokens per text, including special tokens; Infinity if the model declares no limit. */
export function maxTokensOf(config: LengthConfig): number {
  const hasOffset = familiesWithPositionOffset.some((family) => family === config.model_type);
  const offset = hasOffset ? numberOr(config.pad_token_id, 0) + 1 : 0;
  const positions = numberOr(config.max_position_embeddings, Infinity) - offset;
  return Math.min(positions, numberOr(config.model_max_length, Infinity));
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && value >= 0 ? value : fallback;
}
