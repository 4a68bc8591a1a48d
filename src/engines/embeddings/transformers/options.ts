import { readFileSync, type Stats, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { errorMessage } from '../../../common/errors/error-utils.js';
import { text } from '../../../common/validation/settings-schema.js';
import { defaultThreads } from '../../default-threads.js';
import { isFolder, modelOptions, threads } from '../model-options.js';

/** How a sentence-transformers model runs. */
export type TransformersOptions = z.output<ReturnType<typeof transformersOptions>>;

export interface TransformersContext {
  /** Where relative paths start. */
  readonly folder: string;
  /** Folder for files from the hub. */
  readonly downloadFolder: string;
  /** Folder from which the package is resolved. By default, it is resolved like Keycard's own packages. */
  readonly packagesFrom?: string;
}

/** How token vectors are combined into one. */
export const poolings = ['mean', 'cls', 'last_token'] as const;

/** Precisions of the weights, and their files in the layout that ONNX models are published in. */
const weightsFiles = {
  fp32: 'onnx/model.onnx',
  fp16: 'onnx/model_fp16.onnx',
  q8: 'onnx/model_quantized.onnx',
  int8: 'onnx/model_int8.onnx',
  uint8: 'onnx/model_uint8.onnx',
  q4: 'onnx/model_q4.onnx',
  q4f16: 'onnx/model_q4f16.onnx',
  bnb4: 'onnx/model_bnb4.onnx',
};
type Dtype = keyof typeof weightsFiles;
const dtypes = Object.keys(weightsFiles) as Dtype[];

const packageName = '@huggingface/transformers';
const isHubName = (source: string) => /^\w[\w.-]*\/\w[\w.-]*$/.test(source) && !source.includes('..');

export const transformersOptions = ({ folder, downloadFolder, packagesFrom }: TransformersContext) =>
  z
    .strictObject({
      /** Absolute path of a folder, or a name on the hub such as `Xenova/all-MiniLM-L6-v2`. */
      source: text(
        'must be a folder like ./models/all-MiniLM-L6-v2, or a name on the hub like Xenova/all-MiniLM-L6-v2',
        (value) => isFolder(value) || isHubName(value),
      ).transform((value) => (isFolder(value) ? path.resolve(folder, value) : value)),
      pooling: z.enum(poolings).default('mean'),
      /** Whether vectors are scaled to length 1. */
      normalize: z.boolean().default(true),
      dtype: z.enum(dtypes).default('fp32'),
      threads: threads.default(defaultThreads()),
      ...modelOptions,
    })
    .transform((options) => ({ ...options, downloadFolder }))
    .superRefine((options, check) => {
      const message = findProblem(options, packagesFrom);
      if (message !== undefined) check.addIssue({ code: 'custom', path: ['source'], message });
    });

/** Returns what keeps a model from running, as the predicate of a sentence about `source`; undefined if nothing does. */
function findProblem({ source, dtype }: Pick<TransformersOptions, 'source' | 'dtype'>, packagesFrom?: string) {
  if (!isInstalled(packagesFrom)) {
    return `needs the package ${packageName}, which is not installed: npm install ${packageName}`;
  }
  return path.isAbsolute(source) ? findFolderProblem(source, dtype) : undefined;
}

function isInstalled(packagesFrom: string | undefined): boolean {
  const from = packagesFrom === undefined ? import.meta.url : path.join(packagesFrom, 'package.json');
  try {
    createRequire(from).resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

function findFolderProblem(folder: string, dtype: Dtype): string | undefined {
  if (!statsOf(folder)?.isDirectory()) {
    return `is the folder ${folder}, which does not exist or cannot be read; copy the model's files there`;
  }
  const exists = (file: string) => statsOf(path.join(folder, file))?.isFile() ?? false;
  const missing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].filter((file) => !exists(file));
  if (missing.length > 0) return `is the folder ${folder}, which lacks the model's ${missing.join(', ')}`;
  if (!exists(weightsFiles[dtype])) {
    const others = dtypes.filter((other) => exists(weightsFiles[other]));
    const hint = others.length > 0 ? `, or set dtype to ${others.join(' or ')}` : '';
    return `is the folder ${folder}, which lacks ${weightsFiles[dtype]}; export the model to ONNX${hint}`;
  }
  return ['config.json', 'tokenizer_config.json'].map((file) => findJsonProblem(folder, file)).find(Boolean);
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function findJsonProblem(folder: string, file: string): string | undefined {
  try {
    JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    return undefined;
  } catch (error) {
    return `is the folder ${folder}, whose ${file} is not valid JSON: ${errorMessage(error)}`;
  }
}
