import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { BodyMemory } from '../common/http/body-memory.js';
import { ServiceConfig } from '../config/service-config.js';
import { partOf } from '../common/instance-share.js';
import { HealthModule } from '../health/health.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { EnginesModule } from '../engines/engines.module.js';
import { GatewayMetricsService } from './gateway-metrics.service.js';
import { GatewayReadinessService } from './gateway-readiness.service.js';
import { ModelCatalogService } from './models/model-catalog.service.js';
import { ServedModelsController } from './models/served-models.controller.js';
import { ServedModelsService } from './models/served-models.service.js';
import { CircuitEventsService } from './upstreams/circuit-events.service.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';
import { bodyMemoryBytes, minBodyMemoryBytes } from './tasks/ocr/body/document-limit.js';
import { Pipeline, routeProviders } from './pipeline.js';
import { RequestDemands } from './request-demands.js';
import type { RouteProvider } from './route-group.js';
import { routeGroups } from './tasks/tasks.js';

@Module({
  controllers: [ServedModelsController],
  imports: [ApiKeysModule, EnginesModule, HealthModule, LimitsModule, UsageModule],
  providers: [
    GatewayMetricsService,
    GatewayReadinessService,
    ModelCatalogService,
    Pipeline,
    RequestDemands,
    ServedModelsService,
    CircuitEventsService,
    UpstreamsService,
    ...routeGroups.flatMap(({ routes, providers = [] }) => [routes, ...providers]),
    {
      provide: routeProviders,
      inject: routeGroups.map(({ routes }) => routes),
      useFactory: (...providers: RouteProvider[]) => providers,
    },
    {
      provide: BodyMemory,
      inject: [ServiceConfig],
      useFactory: ({ instanceShare }: ServiceConfig) =>
        new BodyMemory(partOf(bodyMemoryBytes, instanceShare, minBodyMemoryBytes)),
    },
  ],
  exports: [ServedModelsService],
})
export class AiGatewayModule {}
