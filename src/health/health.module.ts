import { Module } from '@nestjs/common';
import { AiGatewayModule } from '../ai-gateway/ai-gateway.module.js';
import { EnginesModule } from '../ai-gateway/engines/engines.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { HealthController } from './health.controller.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [AiGatewayModule, ApiKeysModule, EnginesModule, UsageModule],
  controllers: [HealthController],
  providers: [ReadinessService],
})
export class HealthModule {}
