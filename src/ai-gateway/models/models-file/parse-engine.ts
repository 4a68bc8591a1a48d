import path from 'node:path';
import { defaultThreads } from '../../../engines/default-threads.js';
import {
  findTransformersProblem,
  type PackageLookup,
} from '../../../engines/embeddings/transformers/find-transformers-problem.js';
import {
  dtypes,
  type EngineDefinition,
  engineTasks,
  poolings,
  type TransformersOptions,
} from '../../../config/model-definition.js';
import { anyText, listOf, nonEmptyText, oneOf, trueOrFalse, wholeNumber } from './rules.js';
import type { Rule, Section } from './section.js';

export interface EngineContext extends PackageLookup {
  /** Where relative paths start: the folder of the file. */
  readonly folder: string;
  /** Where the files of models from a hub are kept. */
  readonly downloadFolder: string;
  /** What documents are in when the file does not say. */
  readonly ocrLanguages: readonly string[];
}

/** The limit of OpenAI; one such text takes gigabytes of memory in most models. */
const largestTokensPerText = 8_192;

const engines = Object.keys(engineTasks) as EngineDefinition['engine'][];

/** The engine of a model, or undefined once it has been noted what is wrong with it. */
export function parseEngine(model: Section, context: EngineContext): EngineDefinition | undefined {
  const engine = model.required('engine', oneOf(engines));
  const options = model.child('options');
  if (engine === undefined || options === undefined) return undefined;
  const definition = parseOptions(engine, options, context);
  options.refuseOthers();
  return definition;
}

function parseOptions(
  engine: EngineDefinition['engine'],
  options: Section,
  context: EngineContext,
): EngineDefinition | undefined {
  switch (engine) {
    case 'universal-sentence-encoder-lite':
      return { engine };
    case 'tesseract':
      return { engine, languages: options.optional('languages', listOf(nonEmptyText, 1), [...context.ocrLanguages]) };
    case 'transformers': {
      const transformers = parseTransformersOptions(options, context);
      return transformers && { engine, options: transformers };
    }
  }
}

function parseTransformersOptions(options: Section, context: EngineContext): TransformersOptions | undefined {
  const source = options.required('source', modelSource(context.folder));
  const rest = {
    pooling: options.optional('pooling', oneOf(poolings), 'mean'),
    normalize: options.optional('normalize', trueOrFalse, true),
    prefix: options.optional('prefix', anyText, ''),
    dtype: options.optional('dtype', oneOf(dtypes), 'fp32'),
    maxTokens: options.optional('maxTokens', wholeNumber(1, largestTokensPerText), largestTokensPerText),
    threads: options.optional('threads', wholeNumber(1, 64), defaultThreads()),
    downloadFolder: context.downloadFolder,
  };
  if (source === undefined) return undefined;
  const problem = findTransformersProblem({ source, ...rest }, context);
  if (problem !== undefined) options.refuse('source', problem);
  return { source, ...rest };
}

/** A folder, of which the absolute path is taken, or a name on a hub. */
const modelSource = (folder: string): Rule<string> => ({
  allowed: 'a folder like ./models/all-MiniLM-L6-v2, or a name on the hub like Xenova/all-MiniLM-L6-v2',
  parse: (value) => {
    if (typeof value !== 'string' || value.includes('\0')) return undefined;
    if (/^\.{1,2}([/\\]|$)/.test(value) || path.isAbsolute(value)) return path.resolve(folder, value);
    return /^\w[\w.-]*\/\w[\w.-]*$/.test(value) && !value.includes('..') ? value : undefined;
  },
});
