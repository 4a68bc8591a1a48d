import { readFileSync, type Stats, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorMessage } from '../../../common/errors/error-utils.js';
import { dtypes, type TransformersOptions } from '../../../config/model-definition.js';

export interface PackageLookup {
  /** Folder from which the package is resolved. By default, it is resolved like Keycard's own packages. */
  readonly packagesFrom?: string;
}

const packageName = '@huggingface/transformers';

/** Names of weight files in the layout that ONNX models are published in. */
const weightsFiles: Record<TransformersOptions['dtype'], string> = {
  fp32: 'onnx/model.onnx',
  fp16: 'onnx/model_fp16.onnx',
  q8: 'onnx/model_quantized.onnx',
  int8: 'onnx/model_int8.onnx',
  uint8: 'onnx/model_uint8.onnx',
  q4: 'onnx/model_q4.onnx',
  q4f16: 'onnx/model_q4f16.onnx',
  bnb4: 'onnx/model_bnb4.onnx',
};

/**
 * Checks whether a model can run, without loading it.
 *
 * @returns the predicate of a sentence about the field `source`, or undefined if there is no problem
 */
export function findTransformersProblem(
  { source, dtype }: TransformersOptions,
  { packagesFrom }: PackageLookup,
): string | undefined {
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

function findFolderProblem(folder: string, dtype: TransformersOptions['dtype']): string | undefined {
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
