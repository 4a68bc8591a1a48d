import { Module } from '@nestjs/common';
import { ServiceConfig } from '../config/service-config.js';
import { ModelPrices } from './cost/model-prices.js';
import { FailureRecorderService } from './failures/failure-recorder.service.js';
import { FailuresController } from './failures/failures.controller.js';
import { FailuresService } from './failures/failures.service.js';
import { KeyRequestsController } from './requests/key-requests.controller.js';
import { KeyRequestsService } from './requests/key-requests.service.js';
import { RequestLogService } from './requests/request-log.service.js';
import { RequestSearchService } from './requests/request-search.service.js';
import { UsageRecorderService } from './usage-recorder.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  controllers: [UsageController, FailuresController, KeyRequestsController],
  providers: [
    UsageService,
    UsageRecorderService,
    FailuresService,
    FailureRecorderService,
    KeyRequestsService,
    RequestSearchService,
    RequestLogService,
    {
      provide: ModelPrices,
      inject: [ServiceConfig],
      useFactory: ({ models }: ServiceConfig) => new ModelPrices(models),
    },
  ],
  exports: [UsageRecorderService, FailureRecorderService, RequestLogService, ModelPrices],
})
export class UsageModule {}
