import { Module } from '@nestjs/common';
import { AuthorizeService } from './tasks/authorize/authorize.service.js';
import { EmbeddingsService } from './tasks/embeddings/embeddings.service.js';
import { VectorCache } from './tasks/embeddings/vector-cache.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { BodyMemory } from '../common/http/body-memory.js';
import { ServiceConfig } from '../config/service-config.js';
import { partOf } from '../common/worker-share.js';
import { HealthModule } from '../health/health.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { EnginesModule } from '../engines/engines.module.js';
import { GatewayMetricsService } from './gateway-metrics.service.js';
import { GatewayReadinessService } from './gateway-readiness.service.js';
import { ModelCatalogueService } from './models/model-catalogue.service.js';
import { ServedModelsController } from './models/served-models.controller.js';
import { ServedModelsService } from './models/served-models.service.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';
import { bodyMemoryBytes, minBodyMemoryBytes } from './tasks/ocr/body/document-limit.js';
import { DocumentFetcher } from './tasks/ocr/document-fetch/document-fetcher.js';
import { defaultFetchRules } from './tasks/ocr/document-fetch/fetch-rules.js';
import { OcrService } from './tasks/ocr/ocr.service.js';
import { Pipeline } from './pipeline.js';

const megabyte = 1024 * 1024;

@Module({
  controllers: [ServedModelsController],
  imports: [ApiKeysModule, EnginesModule, HealthModule, LimitsModule, UsageModule],
  providers: [
    AuthorizeService,
    EmbeddingsService,
    GatewayMetricsService,
    GatewayReadinessService,
    ModelCatalogueService,
    OcrService,
    Pipeline,
    ServedModelsService,
    UpstreamsService,
    { provide: DocumentFetcher, useFactory: () => new DocumentFetcher(defaultFetchRules) },
    {
      provide: VectorCache,
      inject: [ServiceConfig],
      useFactory: ({ embeddingsCacheMb, workerShare }: ServiceConfig) =>
        new VectorCache(partOf(embeddingsCacheMb * megabyte, workerShare, 0)),
    },
    {
      provide: BodyMemory,
      inject: [ServiceConfig],
      useFactory: ({ workerShare }: ServiceConfig) =>
        new BodyMemory(partOf(bodyMemoryBytes, workerShare, minBodyMemoryBytes)),
    },
  ],
})
export class AiGatewayModule {}
