import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryWorkerService } from './delivery/delivery-worker.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  controllers: [WebhooksController],
  providers: [DeliveriesService, DeliveryWorkerService, WebhooksService],
})
export class WebhooksModule {}
