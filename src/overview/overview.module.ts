import { Module } from '@nestjs/common';
import { AiGatewayModule } from '../ai-gateway/ai-gateway.module.js';
import { OverviewController } from './overview.controller.js';
import { OverviewService } from './overview.service.js';

@Module({
  imports: [AiGatewayModule],
  controllers: [OverviewController],
  providers: [OverviewService],
})
export class OverviewModule {}
