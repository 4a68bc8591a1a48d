import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { ServedModel, ServedModels } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';

/** The models and services of this Keycard. */
export const servedModelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => unwrap(api.GET('/models', { signal })),
});

/** What a key may use if a reverse proxy asks `/v1/authorize` without naming a service. */
export const defaultService = 'authorize';

/** A model under its id or an alias, for `model` in requests. */
export interface NamedModel extends Pick<ServedModel, 'task' | 'languages'> {
  id: string;
  served: ServedModel;
}

/** All models by id and alias. */
export function namedModels({ models }: Pick<ServedModels, 'models'>): NamedModel[] {
  return models.flatMap((served) => {
    const { id, aliases, task, languages } = served;
    return [id, ...aliases].map((name) => ({ id: name, task, languages, served }));
  });
}

/** What a key can be restricted to. */
export function restrictableNames({ models, services }: ServedModels): string[] {
  return [...models.map(({ id }) => id), ...services];
}
