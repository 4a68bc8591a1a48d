import path from 'node:path';
import { z } from 'zod';
import { parseSettings } from '../../../common/validation/settings-schema.js';
import { YamlFile } from '../../../common/validation/yaml-file.js';
import { defaultService } from '../../tasks/authorize/service-list.js';
import { keepPricesExact } from './exact-prices.js';
import { type ModelsFile, type ModelsFileContext, modelsFileSchema, name } from './models-schema.js';

/**
 * Reads the models and services that the operator declared in a YAML file.
 *
 * @param file its absolute path
 * @throws StartupError that lists every problem with its place in the file, without secrets
 */
export function readModelsFile(file: string, context: Omit<ModelsFileContext, 'folder'>): ModelsFile {
  const yaml = new YamlFile(file, {
    variable: 'MODELS_FILE',
    mustContain: 'a list "models"',
    prepare: keepPricesExact,
  });
  const content = yaml.read();
  const schema = modelsFileSchema({ ...context, folder: path.dirname(file) });
  const { settings, problems } = parseSettings(schema, content, (place) => z.core.toDotPath(place) || 'the file');
  problems.push(...findRepeatedNames(content));
  if (settings === undefined || problems.length > 0) throw yaml.errorFor(problems);
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
