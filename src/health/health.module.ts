import { Module } from '@nestjs/common';
import { EnginesModule } from '../ai-gateway/engines/engines.module.js';
import { HealthController } from './health.controller.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [EnginesModule],
  controllers: [HealthController],
  providers: [ReadinessService],
})
export class HealthModule {}
