import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { UsageController } from './usage.controller.js';
import { UsageRecorderService } from './usage-recorder.service.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [ApiKeysModule],
  controllers: [UsageController],
  providers: [UsageService, UsageRecorderService],
  exports: [UsageRecorderService],
})
export class UsageModule {}
