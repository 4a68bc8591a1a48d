import { Module } from '@nestjs/common';
import { FailureRecorderService } from './failures/failure-recorder.service.js';
import { FailuresController } from './failures/failures.controller.js';
import { FailuresService } from './failures/failures.service.js';
import { UsageRecorderService } from './usage-recorder.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  controllers: [UsageController, FailuresController],
  providers: [UsageService, UsageRecorderService, FailuresService, FailureRecorderService],
  exports: [UsageRecorderService, FailureRecorderService],
})
export class UsageModule {}
