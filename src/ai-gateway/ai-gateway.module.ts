import { Module } from '@nestjs/common';
import { EmbeddingsController } from './embeddings/embeddings.controller.js';
import { EmbeddingsService } from './embeddings/embeddings.service.js';
import { EnginesModule } from './engines/engines.module.js';
import { ModelCatalogueService } from './models/model-catalogue.service.js';
import { ModelsController } from './models/models.controller.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';

@Module({
  imports: [EnginesModule],
  controllers: [EmbeddingsController, ModelsController],
  providers: [EmbeddingsService, ModelCatalogueService, UpstreamsService],
})
export class AiGatewayModule {}
