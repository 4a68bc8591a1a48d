import path from 'node:path';
import { z } from 'zod';
import {
  dtypes,
  engineLanguages,
  type EngineName,
  engineTasks,
  type ModelDefinition,
  poolings,
  tasks,
} from '../../../config/model-definition.js';
import { defaultThreads } from '../../../engines/default-threads.js';
import { findStaticModelProblem } from '../../../engines/embeddings/static/static-model.js';
import {
  findTransformersProblem,
  type PackageLookup,
} from '../../../engines/embeddings/transformers/find-transformers-problem.js';

/** Settings from outside the file. */
export interface ModelsFileContext extends PackageLookup {
  /** The value of an environment variable, which may be a secret. */
  readonly readSecret: (variable: string) => string | undefined;
  /** Folder of the file, which relative paths start from. */
  readonly folder: string;
  /** Folder for models downloaded from a hub. */
  readonly downloadFolder: string;
  /** Default languages of documents. */
  readonly ocrLanguages: readonly string[] | 'auto';
}

/** OpenAI's limit. A text of this length takes gigabytes of memory in most models. */
const maxTokensPerText = 8192;
/** Upper limit of `timeoutSeconds`. Proxies in front of Keycard must wait longer. */
export const maxTimeoutSeconds = 600;

// Messages complete a sentence that begins with the place in the file. None quotes a value, which may be a misplaced
// secret.

const typeMessages: Partial<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  object: 'must be a mapping, such as "key: value"',
  string: 'must be text',
};

/** Messages for the checks that have none of their own. */
export const explain: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return typeMessages[issue.expected];
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_union') return `must be one of ${Object.keys(engineTasks).join(', ')}`;
  const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
  return issue.code === 'unrecognized_keys' ? `is unknown; known fields are ${known.join(', ')}` : 'is not allowed';
};

const text = (error: string, isAllowed: (value: string) => boolean) => z.string({ error }).refine(isAllowed, { error });
const nonEmptyText = text('must be text, and not empty', (value) => value.trim() !== '');

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const nonEmptyList = <Item extends z.ZodType>(item: Item, error = 'must be a list with at least one item') =>
  z.array(item, { error }).min(1, { error });

const weightError = 'must be a number above 0 and at most 1000000';
const weight = z.number({ error: weightError }).positive({ error: weightError }).max(1_000_000, { error: weightError });

/** A name for requests and responses. */
export const name = text(
  'must be text of 1 to 200 characters, without control characters and leading or trailing spaces',
  (value) => value.trim() === value && /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u.test(value),
);

const dayError = 'must be a date since 1970, such as 2024-01-25';
/** As Unix seconds. */
const day = z.iso
  .date({ error: dayError })
  .transform((value) => Date.parse(value) / 1000)
  .refine((seconds) => seconds >= 0, { error: dayError });

/** Without a trailing slash. */
const baseUrl = text(
  'must be an http or https URL like https://api.openai.com/v1, without credentials, query or fragment',
  (value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, username, password, href } = new URL(value);
    // A lone "?" or "#" is in `href`, but in no other part.
    return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#]/.test(href);
  },
).transform((value) => new URL(value).href.replace(/\/+$/, ''));

/** The key in an environment variable. Its name is in uppercase, so that a key pasted here by mistake is rejected. */
const secretIn = (readSecret: ModelsFileContext['readSecret']) =>
  text(
    'must be the name of an environment variable in uppercase, such as OPENAI_API_KEY (the name, not the key itself)',
    (value) => /^[A-Z_][A-Z0-9_]*$/.test(value),
  ).transform((variable, context) => {
    const apiKey = readSecret(variable);
    if (apiKey === undefined) context.addIssue(`is ${variable}, and this environment variable is not set`);
    else if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      context.addIssue(`is ${variable}, whose value must be printable ASCII without spaces`);
    }
    return apiKey;
  });

const isFolder = (value: string) => /^\.{1,2}([/\\]|$)/.test(value) || path.isAbsolute(value);

/** A folder, resolved to its absolute path, or the name of a model on a hub. */
const modelSource = (folder: string) =>
  text(
    'must be a folder like ./models/all-MiniLM-L6-v2, or a name on the hub like Xenova/all-MiniLM-L6-v2',
    (value) =>
      !value.includes('\0') && (isFolder(value) || (/^\w[\w.-]*\/\w[\w.-]*$/.test(value) && !value.includes('..'))),
  ).transform((value) => (isFolder(value) ? path.resolve(folder, value) : value));

const language = text('must be an ISO 639-1 language code such as en', (value) => /^[a-z]{2}$/.test(value));

const common = {
  id: name,
  aliases: z.array(name).default([]),
  ownedBy: name.default('keycard'),
  created: day.default(0),
  languages: nonEmptyList(language).optional(),
};

/** The models file, parsed as YAML without empty fields. */
export function modelsFileSchema(context: ModelsFileContext) {
  const languages = z
    .union([z.literal('auto'), nonEmptyList(nonEmptyText)], { error: 'must be auto, or a list of languages' })
    .readonly()
    .default(context.ocrLanguages);
  const model = z.discriminatedUnion('engine', [
    upstreamModel(context),
    engineModel('universal-sentence-encoder-lite', z.strictObject({})),
    engineModel('tesseract', z.strictObject({ languages })),
    engineModel('static', staticOptions(context)),
    engineModel('transformers', transformersOptions(context)),
  ]);
  return z.strictObject({ models: nonEmptyList(model) }).transform(({ models }): ModelDefinition[] => models);
}

function upstreamModel({ readSecret }: ModelsFileContext) {
  const target = z.strictObject({
    baseUrl,
    apiKeyEnv: secretIn(readSecret).optional(),
    model: nonEmptyText.optional(),
    weight: weight.default(1),
    timeoutSeconds: wholeNumber(1, maxTimeoutSeconds).default(60),
  });
  const fields = z.strictObject({
    ...common,
    engine: z.undefined().optional(),
    task: z.enum(tasks),
    targets: nonEmptyList(target, 'must be a list with at least one item, unless engine is set'),
  });
  return fields.transform(({ id, aliases, ownedBy, created, languages, task, targets }) => {
    const servedBy = { targets: targets.map(({ apiKeyEnv, ...rest }) => ({ model: id, ...rest, apiKey: apiKeyEnv })) };
    return { id, aliases, ownedBy, createdSeconds: created, languages, task, servedBy };
  });
}

function engineModel<Engine extends EngineName, Options extends object>(engine: Engine, options: z.ZodType<Options>) {
  const task = engineTasks[engine];
  const fields = z.strictObject({
    ...common,
    engine: z.literal(engine),
    task: z.literal(task, { error: `must be ${task} for this engine` }).optional(),
    options: options.prefault({} as Options),
    targets: z.undefined({ error: 'must be omitted if engine is set' }).optional(),
  });
  return fields.transform(({ id, aliases, ownedBy, created, languages = engineLanguages[engine], options }) => {
    return { id, aliases, ownedBy, createdSeconds: created, languages, task, servedBy: { engine, ...options } };
  });
}

function staticOptions({ folder }: ModelsFileContext) {
  const options = z.strictObject({
    source: text('must be a folder like ./models/potion-base-8M', (value) => !value.includes('\0') && isFolder(value)),
    normalize: z.boolean().optional(),
    prefix: z.string().default(''),
    maxTokens: wholeNumber(1, maxTokensPerText).default(maxTokensPerText),
    threads: wholeNumber(1, 64).default(1),
  });
  return options
    .transform(({ source, normalize, ...given }) => ({ ...given, normalize, source: path.resolve(folder, source) }))
    .superRefine(({ source }, check) => {
      const message = findStaticModelProblem(source);
      if (message !== undefined) check.addIssue({ code: 'custom', path: ['source'], message });
    });
}

function transformersOptions(context: ModelsFileContext) {
  const options = z.strictObject({
    source: modelSource(context.folder),
    pooling: z.enum(poolings).default('mean'),
    normalize: z.boolean().default(true),
    prefix: z.string().default(''),
    dtype: z.enum(dtypes).default('fp32'),
    maxTokens: wholeNumber(1, maxTokensPerText).default(maxTokensPerText),
    threads: wholeNumber(1, 64).default(defaultThreads()),
  });
  const { downloadFolder } = context;
  return options
    .transform((given) => ({ ...given, downloadFolder }))
    .superRefine((given, check) => {
      const message = findTransformersProblem(given, context);
      if (message !== undefined) check.addIssue({ code: 'custom', path: ['source'], message });
    });
}
