import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { errorCode, errorMessage } from '../../../common/errors/error-utils.js';
import { StartupError } from '../../../common/startup-error.js';
import { parseSettings } from '../../../common/validation/settings-schema.js';
import { defaultService } from '../../tasks/authorize/service-list.js';
import { keepPricesExact } from './exact-prices.js';
import { type ModelsFile, type ModelsFileContext, modelsFileSchema, name } from './models-schema.js';

const maxFileBytes = 1024 * 1024;

/**
 * Reads the models and services that the operator declared in a YAML file.
 *
 * @param file its absolute path
 * @throws StartupError that lists every problem with its place in the file, without secrets
 */
export function readModelsFile(file: string, context: Omit<ModelsFileContext, 'folder'>): ModelsFile {
  const content = parseYaml(readText(file), file);
  const schema = modelsFileSchema({ ...context, folder: path.dirname(file) });
  const { settings, problems } = parseSettings(schema, content, (place) => z.core.toDotPath(place) || 'the file');
  problems.push(...findRepeatedNames(content));
  if (settings === undefined || problems.length > 0) throw startupErrorFor(file, problems);
  return settings;
}

/** Unlike the bare name, it may name the default service, to restrict it. */
const namedService = z.object({ name });

/** The readable names in the file, so that duplicates are reported together with other problems. */
const namesSchema = z.object({
  models: z
    .array(z.object({ id: name.catch(''), aliases: z.array(name).catch([]) }).catch({ id: '', aliases: [] }))
    .catch([]),
  services: z.array(z.union([name, namedService]).catch('')).catch([]),
});

/** Ids, aliases and services share one namespace: restrictions of API keys and usage reports name them alike. */
function findRepeatedNames(content: unknown): string[] {
  const { models, services } = namesSchema.safeParse(content).data ?? { models: [], services: [] };
  const names = [
    ...models.flatMap(({ id, aliases }, index) => {
      const owner = `models[${index}]`;
      const others = aliases.map((text, place) => ({ text, owner, field: `${owner}.aliases[${place}]` }));
      return [{ text: id, owner, field: `${owner}.id` }, ...others];
    }),
    ...services.map((service, index) => {
      const owner = `services[${index}]`;
      if (typeof service === 'string') return { text: service, owner, field: owner };
      return { text: service.name, owner, field: `${owner}.name` };
    }),
  ];
  const isRestricted = services.some((service) => typeof service === 'object' && service.name === defaultService);
  const owners = new Map(isRestricted ? [] : [[defaultService, 'Keycard']]);
  return names.flatMap(({ text, owner, field }) => {
    const other = owners.get(text);
    if (other === undefined) owners.set(text, owner);
    return other === undefined || text === '' ? [] : [`${field} is '${text}', which ${other} also uses`];
  });
}

function startupErrorFor(file: string, problems: readonly string[]): StartupError {
  const lines = problems.map((problem) => `\n  ${path.basename(file)}: ${problem}`);
  return new StartupError(`MODELS_FILE ${file} must be corrected:${lines.join('')}`);
}

function readText(file: string): string {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new StartupError(`MODELS_FILE must be a file; ${file} is not.`);
    if (stats.size > maxFileBytes) throw new StartupError(`MODELS_FILE ${file} must be at most 1 MB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const code = errorCode(error) ?? 'unknown reason';
    throw new StartupError(`MODELS_FILE ${file} ${readErrors[code] ?? `cannot be read (${code})`}.`);
  }
}

const readErrors: Partial<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'must be readable by the user that runs Keycard',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'must be UTF-8 text',
};

function parseYaml(text: string, file: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map(({ message, pos }) => {
    const { line, col } = lineCounter.linePos(pos[0]);
    return `line ${line}, column ${col}: ${withoutQuotes(message)}`;
  });
  if (problems.length > 0) throw startupErrorFor(file, problems);
  if (document.contents === null) throw startupErrorFor(file, ['the file is empty; it must contain a list "models"']);
  keepPricesExact(document);
  try {
    // Omits empty fields (`field:`). Rejects aliases that expand without bounds.
    return document.toJS({ reviver: (_key, value: unknown) => value ?? undefined });
  } catch (error) {
    throw startupErrorFor(file, [withoutQuotes(errorMessage(error))]);
  }
}

/** The parser quotes parts of the file, which may contain a misplaced secret. */
function withoutQuotes(message: string): string {
  return message.replace(/:? ".*$/s, '');
}
