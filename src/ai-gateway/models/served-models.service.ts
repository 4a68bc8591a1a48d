import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import {
  defaultGenerationRoutes,
  type GenerationSettings,
  type ModelDefinition,
  type UpstreamTarget,
} from '../../config/model-definition.js';
import { defaultCurrency, ServiceConfig } from '../../config/service-config.js';
import type { EngineName } from '../../engines/engine-definition.js';
import { ServiceList } from '../tasks/authorize/service-list.js';
import { routeGroups } from '../tasks/tasks.js';
import { UpstreamsService } from '../upstreams/upstreams.service.js';
import type { Model } from './model.js';
import { ModelCatalogService } from './model-catalog.service.js';
import type { ModelEngineDto, ModelUpstreamDto, ServedModelDto, ServedModelsDto } from './served-model.dto.js';

type Settings = Pick<ServiceConfig, 'models' | 'services' | 'currency'>;

/** Describes the models to members: what serves them, with which limits, and how healthy that is. Contains no secrets. */
@Injectable()
export class ServedModelsService {
  private readonly services: ServiceList;

  constructor(
    @Inject(ServiceConfig) private readonly config: Settings,
    private readonly catalog: ModelCatalogService,
    private readonly upstreams: UpstreamsService,
  ) {
    this.services = new ServiceList(config.services);
  }

  /** Lists the models, and the services that the principal's organization may use. */
  list({ organizationId }: Principal): ServedModelsDto {
    const models = this.config.models.map((definition) => this.describe(definition));
    return { models, services: this.services.namesFor(organizationId) };
  }

  private describe(definition: ModelDefinition): ServedModelDto {
    const { id, aliases, task, ownedBy, languages, price, servedBy } = definition;
    const model = this.catalog.get(id);
    const { currency = defaultCurrency } = this.config;
    return {
      id,
      aliases,
      task,
      ownedBy,
      languages: languages ?? languagesOf(model),
      price: price === undefined ? null : { currency, ...price },
      engine: 'engine' in servedBy ? describeEngine(servedBy.engine, model) : null,
      upstreams: 'targets' in servedBy ? this.describeTargets(servedBy.targets) : [],
      ...describeGeneration(definition),
    };
  }

  private describeTargets(targets: readonly UpstreamTarget[]): ModelUpstreamDto[] {
    const total = targets.reduce((sum, { weight }) => sum + weight, 0);
    return targets.map((target) => {
      const { circuit, p95Milliseconds, errorShare, lastError } = this.upstreams.statusOf(target);
      return {
        host: new URL(target.baseUrl).host,
        model: target.model,
        share: target.weight / total,
        circuit,
        errorShare,
        p95Milliseconds: p95Milliseconds === null ? null : Math.round(p95Milliseconds * 1000) / 1000,
        lastError: lastError === undefined ? null : { at: lastError.at.toISOString(), reason: lastError.reason },
      };
    });
  }
}

/** The languages that an engine has data of; null if it doesn't know. */
function languagesOf({ servedBy }: Model): readonly string[] | null {
  return 'engine' in servedBy && 'languages' in servedBy.engine ? servedBy.engine.languages : null;
}

/** The settings that only generation models have. */
function describeGeneration(
  definition: ModelDefinition,
): Pick<ServedModelDto, Exclude<keyof GenerationSettings, 'mediaTokens'>> {
  const { task, maxOutputTokens = null, fallbacks = [], contextFallback = null } = definition;
  const { routes = task === 'generation' ? defaultGenerationRoutes : [] } = definition;
  return { routes, maxOutputTokens, fallbacks, contextFallback };
}

function describeEngine(name: EngineName, model: Model): ModelEngineDto | null {
  if ('targets' in model.servedBy) return null;
  const limits = routeGroups.map(({ engineLimits }) => engineLimits?.(model)).find((found) => found !== undefined);
  return { name, state: model.servedBy.engine.state(), ...limits };
}
