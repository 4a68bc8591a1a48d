import { Module } from '@nestjs/common';
import { UsageRecorderService } from './usage-recorder.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  controllers: [UsageController],
  providers: [UsageService, UsageRecorderService],
  exports: [UsageRecorderService],
})
export class UsageModule {}
