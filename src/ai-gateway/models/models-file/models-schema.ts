import { isUUID } from 'class-validator';
import { z } from 'zod';
import { nonEmptyList, text, textOr } from '../../../common/validation/settings-schema.js';
import { tasks } from '../../../common/rules/tasks.js';
import type { ModelDefinition } from '../../../config/model-definition.js';
import { defaultCurrency, type ServiceDefinition } from '../../../config/service-config.js';
import { engineLanguages, type EngineName, engineTasks } from '../../../engines/engine-definition.js';
import { staticOptions } from '../../../engines/embeddings/static/options.js';
import { type TransformersContext, transformersOptions } from '../../../engines/embeddings/transformers/options.js';
import { findNativeTesseract } from '../../../engines/ocr/native-program.js';
import { defaultModels } from '../default-models.js';
import { checkFallbacks, completeTargets, generationFields, targetFields } from './generation-schema.js';
import { checkPrice, price } from './price-schema.js';

/** Settings from outside the file. */
export interface ModelsFileContext extends TransformersContext {
  /** The value of an environment variable, which may be a secret. */
  readonly readSecret: (variable: string) => string | undefined;
  /** Default languages of documents. */
  readonly ocrLanguages: readonly string[] | 'auto';
}

/** What the file declares. */
export interface ModelsFile {
  readonly models: readonly ModelDefinition[];
  readonly services: readonly (string | ServiceDefinition)[];
  /** The currency of all prices; ISO 4217. */
  readonly currency: string;
}

const nonEmptyText = text('must be text, and not empty', (value) => value.trim() !== '');
const language = text('must be an ISO 639-1 language code such as en', (value) => /^[a-z]{2}$/.test(value));

/** A name for requests and responses. */
export const name = text(
  'must be text of 1 to 200 characters, without control characters and leading or trailing spaces',
  (value) => value.trim() === value && /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u.test(value),
);

const weightError = 'must be a number above 0 and at most 1000000';
const weight = z
  .number({ error: weightError })
  .refine((value) => value > 0 && value <= 1_000_000, { error: weightError });

const currency = text('must be an ISO 4217 currency code such as USD', (value) => /^[A-Z]{3}$/.test(value));

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

/** The key in an environment variable. Its name is in uppercase, so that a key pasted here by problem is rejected. */
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

const organizationId = text('must be the id of an organization, which is a UUID', (value) => isUUID(value));
/** A name, or a name with the organizations whose keys may use the service. */
const service = textOr(
  name,
  z.strictObject(
    { name, organizations: nonEmptyList(organizationId.transform((id) => id.toLowerCase())).optional() },
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'must be a name, or a mapping with name and organizations' : undefined,
    },
  ),
);

const common = {
  id: name,
  aliases: z.array(name).default([]),
  ownedBy: name.default('keycard'),
  created: day.default(0),
  languages: nonEmptyList(language).optional(),
  price: price.optional(),
};

/** The models file, parsed as YAML without empty fields. */
export function modelsFileSchema(context: ModelsFileContext) {
  const languages = z
    .union([z.literal('auto'), nonEmptyList(nonEmptyText)], { error: 'must be auto, or a list of languages' })
    .readonly()
    .default(context.ocrLanguages);
  const models = [
    upstreamModel(context),
    engineModel('universal-sentence-encoder-lite', z.strictObject({})),
    engineModel('tesseract', z.strictObject({ languages })),
    engineModel('tesseract-native', z.strictObject({ languages }), findNativeTesseract),
    engineModel('static', staticOptions(context.folder)),
    engineModel('transformers', transformersOptions(context)),
  ] as const;
  const unknownEngine = `must be one of ${Object.keys(engineTasks).join(', ')}`;
  const model = z.discriminatedUnion('engine', models, {
    error: ({ code }) => (code === 'invalid_union' ? unknownEngine : undefined),
  });
  return z
    .strictObject({
      models: nonEmptyList(model).optional(),
      services: nonEmptyList(service).optional(),
      currency: currency.default(defaultCurrency),
    })
    .superRefine(({ models, services }, check) => {
      const message = 'must be a list with at least one item';
      if (models === undefined && services === undefined) check.addIssue({ code: 'custom', path: ['models'], message });
    })
    .transform(({ models = defaultModels(context.ocrLanguages), services = [], currency }, check): ModelsFile => {
      checkFallbacks(models, check);
      return { models, services, currency };
    });
}

function upstreamModel({ readSecret }: ModelsFileContext) {
  const target = z.strictObject({
    baseUrl,
    apiKeyEnv: secretIn(readSecret).optional(),
    model: nonEmptyText.optional(),
    weight: weight.default(1),
    ...targetFields,
  });
  const fields = z.strictObject({
    ...common,
    ...generationFields(name),
    engine: z.undefined().optional(),
    task: z.enum(tasks),
    targets: nonEmptyList(target, 'must be a list with at least one item, unless engine is set'),
  });
  return fields.transform(({ id, aliases, ownedBy, created, languages, price, task, targets, ...rest }, check) => {
    checkPrice(price, task, check);
    const { routes, maxOutputTokens, mediaTokens, fallbacks, contextFallback } = rest;
    const settings = { routes, maxOutputTokens, mediaTokens, fallbacks, contextFallback };
    const named = targets.map(({ apiKeyEnv, ...target }) => ({ model: id, ...target, apiKey: apiKeyEnv }));
    const servedBy = { targets: completeTargets(task, settings, named, check) };
    return { id, aliases, ownedBy, createdSeconds: created, languages, price, task, servedBy, ...settings };
  });
}

/** @param find returns a problem if the machine lacks what the engine needs */
function engineModel<Engine extends EngineName, Options extends object>(
  engine: Engine,
  options: z.ZodType<Options>,
  find?: () => { problem?: string },
) {
  const task = engineTasks[engine];
  const fields = z.strictObject({
    ...common,
    engine: z.literal(engine),
    task: z.literal(task, { error: `must be ${task} for this engine` }).optional(),
    options: options.prefault({} as Options),
    targets: z.undefined({ error: 'must be omitted if engine is set' }).optional(),
  });
  return fields.transform(
    ({ id, aliases, ownedBy, created, languages = engineLanguages[engine], price, options }, check) => {
      checkPrice(price, task, check);
      const problem = find?.().problem;
      if (problem !== undefined) check.addIssue({ code: 'custom', path: ['engine'], message: problem });
      return {
        id,
        aliases,
        ownedBy,
        createdSeconds: created,
        languages,
        price,
        task,
        servedBy: { engine, ...options },
      };
    },
  );
}
