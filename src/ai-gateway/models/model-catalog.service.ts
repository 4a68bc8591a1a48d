import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { AppError, invalidField } from '../../common/errors/app-error.js';
import { type GenerationRoute, type Task, taskDefinitions } from '../../common/rules/tasks.js';
import { ServiceConfig } from '../../config/service-config.js';
import { Engines, type EngineSettings } from '../../engines/engines.module.js';
import type { Model, ModelOf } from './model.js';
import { defaultGenerationRoutes, type ModelDefinition } from '../../config/model-definition.js';

/** Keeps error messages short. */
const namesInHint = 5;

/** The models of this service. */
@Injectable()
export class ModelCatalogService {
  /** By id and by alias. */
  private readonly models = new Map<string, Model>();

  constructor(
    @Inject(ServiceConfig) config: Pick<ServiceConfig, 'models' | 'ocrWorkerMemoryMb' | 'ocrDataDir' | 'instanceShare'>,
    engines: Engines,
  ) {
    for (const definition of config.models) {
      const model = toModel(definition, engines, config);
      for (const name of [model.id, ...model.aliases]) this.models.set(name, model);
    }
  }

  /** Every id and alias that the principal may use, with its model. */
  list(principal?: Principal): { name: string; model: Model }[] {
    const named = Array.from(this.models, ([name, model]) => ({ name, model }));
    return named.filter(({ model }) => isAllowed(model, principal));
  }

  /** @throws AppError 404 `model_not_found`, 403 `model_not_allowed` if the principal is restricted to other models */
  get(name: string, principal?: Principal): Model {
    const model = this.models.get(name);
    if (model !== undefined) {
      if (isAllowed(model, principal)) return model;
      throw new AppError('model-not-allowed', `This API key may not use the model '${name}'.`, {
        fields: [{ field: 'model', message: 'is not allowed for this API key' }],
      });
    }
    throw new AppError('model-not-found', `The model '${name.slice(0, 200)}' does not exist. ${this.hintFor(name)}`, {
      fields: [{ field: 'model', message: 'does not exist' }],
    });
  }

  /**
   * The model of a request to the route of `task`.
   *
   * @throws AppError 404 for an unknown model, 403 for one that the principal may not use, 400 for one of another task
   */
  getFor<Wanted extends Task>(task: Wanted, name: string, principal?: Principal): Extract<Model, { task: Wanted }> {
    const model = this.get(name, principal);
    if (hasTask(model, task)) return model;
    const suitable = this.list(principal).filter((other) => other.model.task === task);
    const hint =
      suitable.length === 0
        ? 'No model is for this route.'
        : `Use one of: ${suitable.slice(0, namesInHint).map(nameOf).join(', ')}.`;
    const [right, wrong] = [routeOf(model), taskDefinitions[task].route];
    throw invalidField('model', `The model '${name}' is for POST ${right}, not for POST ${wrong}. ${hint}`);
  }

  /**
   * The model of a request to a route for text generation.
   *
   * @throws AppError as `getFor`, and 400 for a model whose upstreams don't speak the dialect of the route
   */
  getForRoute(route: GenerationRoute, name: string, principal?: Principal): ModelOf<'generation'> {
    const model = this.getFor('generation', name, principal);
    const { routes = defaultGenerationRoutes } = model;
    if (routes.includes(route)) return model;
    const others = routes.map((other) => `POST /v1/${other}`).join(' and ');
    throw invalidField('model', `The model '${name}' is for ${others}, not for POST /v1/${route}.`);
  }

  /** Other models that may serve a request instead, as far as the principal may use them and they speak its dialect. */
  findOthers(ids: readonly string[], route: GenerationRoute, principal?: Principal): ModelOf<'generation'>[] {
    return ids.flatMap((id) => {
      const model = this.models.get(id);
      if (model === undefined || !hasTask(model, 'generation') || !isAllowed(model, principal)) return [];
      return (model.routes ?? defaultGenerationRoutes).includes(route) ? [model] : [];
    });
  }

  private hintFor(name: string): string {
    const spelledAlike = [...this.models.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
    return spelledAlike === undefined ? 'GET /v1/models lists all models.' : `Did you mean '${spelledAlike}'?`;
  }
}

/** The route of a model; the first one if it has several. */
function routeOf({ task, routes }: Model): string {
  const [first] = routes ?? [];
  return first === undefined ? taskDefinitions[task].route : `/v1/${first}`;
}

function isAllowed({ id, aliases }: Model, principal?: Principal): boolean {
  const allowed = principal?.models;
  return !allowed || [id, ...aliases].some((name) => allowed.includes(name));
}

const nameOf = ({ name }: { name: string }) => name;

function hasTask<Wanted extends Task>(model: Model, task: Wanted): model is Extract<Model, { task: Wanted }> {
  return model.task === task;
}

function toModel(definition: ModelDefinition, engines: Engines, settings: EngineSettings): Model {
  const { servedBy, task, ...named } = definition;
  if ('targets' in servedBy) return { ...named, task, servedBy };
  return { ...named, ...engines.get(servedBy, settings) };
}
