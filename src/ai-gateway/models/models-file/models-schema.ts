import { z } from 'zod';
import { defaultThreads } from '../../../engines/default-threads.js';
import {
  findTransformersProblem,
  type PackageLookup,
} from '../../../engines/embeddings/transformers/find-transformers-problem.js';
import {
  dtypes,
  type EngineDefinition,
  engineTasks,
  type ModelDefinition,
  poolings,
  tasks,
} from '../../../config/model-definition.js';
import {
  anyText,
  baseUrl,
  day,
  list,
  mapping,
  modelSource,
  name,
  nonEmptyList,
  nonEmptyText,
  notMapping,
  oneOf,
  optional,
  trueOrFalse,
  variableName,
  weight,
  wholeNumber,
} from './fields.js';

/** Settings from outside the file. */
export interface ModelsFileContext extends PackageLookup {
  /** The value of an environment variable, which may be a secret. */
  readonly readSecret: (variable: string) => string | undefined;
  /** Folder of the file, which relative paths start from. */
  readonly folder: string;
  /** Folder for models downloaded from a hub. */
  readonly downloadFolder: string;
  /** Default languages of documents. */
  readonly ocrLanguages: readonly string[];
}

/** OpenAI's limit. A text of this length takes gigabytes of memory in most models. */
const maxTokensPerText = 8192;
/** Upper limit of `timeoutSeconds`. Proxies in front of Keycard must wait longer. */
export const maxTimeoutSeconds = 600;

const names = {
  id: name,
  aliases: optional(list(name), []),
  ownedBy: optional(name, 'keycard'),
  created: optional(day, 0),
};

/** The models file, parsed as YAML. */
export function modelsFileSchema(context: ModelsFileContext) {
  const model = z.discriminatedUnion(
    'engine',
    [upstreamModel(context), sentenceEncoderModel, tesseractModel(context), transformersModel(context)],
    { error: ({ code }) => (code === 'invalid_union' ? unknownEngine : notMapping) },
  );
  return mapping({ models: nonEmptyList(model) }).transform(({ models }): ModelDefinition[] => models);
}

const unknownEngine = `must be one of ${Object.keys(engineTasks).join(', ')}`;

function upstreamModel({ readSecret }: ModelsFileContext) {
  const target = mapping({
    baseUrl,
    apiKeyEnv: optional(
      variableName.transform((variable, context) => {
        const apiKey = readSecret(variable);
        if (apiKey === undefined) context.addIssue(`is ${variable}, and this environment variable is not set`);
        else if (!/^[\x21-\x7e]+$/.test(apiKey)) {
          context.addIssue(`is ${variable}, whose value must be printable ASCII without spaces`);
        }
        return apiKey;
      }),
      undefined,
    ),
    model: nonEmptyText.nullish(),
    weight: optional(weight, 1),
    timeoutSeconds: optional(wholeNumber(1, maxTimeoutSeconds), 60),
  });
  return mapping({
    ...names,
    engine: z.null().optional(),
    task: oneOf(tasks),
    targets: nonEmptyList(target, 'must be a list with at least one item, unless engine is given'),
  }).transform(({ id, aliases, ownedBy, created, task, targets }) => {
    const servedBy = {
      targets: targets.map(({ apiKeyEnv, model, ...rest }) => ({ ...rest, apiKey: apiKeyEnv, model: model ?? id })),
    };
    return { id, aliases, ownedBy, createdSeconds: created, task, servedBy };
  });
}

const sentenceEncoderModel = engineModel(
  'universal-sentence-encoder-lite',
  mapping({}).transform(() => ({ engine: 'universal-sentence-encoder-lite' as const })),
);

function tesseractModel({ ocrLanguages }: ModelsFileContext) {
  const options = mapping({ languages: optional(nonEmptyList(nonEmptyText), [...ocrLanguages]) });
  return engineModel(
    'tesseract',
    options.transform(({ languages }) => ({ engine: 'tesseract' as const, languages })),
  );
}

function transformersModel(context: ModelsFileContext) {
  const options = mapping({
    source: modelSource(context.folder),
    pooling: optional(oneOf(poolings), 'mean'),
    normalize: optional(trueOrFalse, true),
    prefix: optional(anyText, ''),
    dtype: optional(oneOf(dtypes), 'fp32'),
    maxTokens: optional(wholeNumber(1, maxTokensPerText), maxTokensPerText),
    threads: optional(wholeNumber(1, 64), defaultThreads()),
  });
  const definition = options.transform((given, check) => {
    const complete = { ...given, downloadFolder: context.downloadFolder };
    const problem = findTransformersProblem(complete, context);
    if (problem !== undefined) check.addIssue({ code: 'custom', path: ['source'], message: problem });
    return { engine: 'transformers' as const, options: complete };
  });
  return engineModel('transformers', definition);
}

/** @param definition parses the engine's options */
function engineModel<Engine extends EngineDefinition['engine']>(
  engine: Engine,
  definition: z.ZodType<EngineDefinition>,
) {
  const task = engineTasks[engine];
  return mapping({
    ...names,
    engine: z.literal(engine),
    task: z.literal(task, { error: `must be ${task}, which the engine is for` }).nullish(),
    options: z.preprocess((value) => value ?? {}, definition),
    targets: z.null({ error: 'must be left out when engine is given' }).optional(),
  }).transform(({ id, aliases, ownedBy, created, options }) => {
    return { id, aliases, ownedBy, createdSeconds: created, task, servedBy: options };
  });
}
