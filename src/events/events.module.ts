import { Module } from '@nestjs/common';
import { EventTypesController } from './event-types.controller.js';
import { ExpiryNoticesService } from './key-expiry/expiry-notices.service.js';

@Module({ controllers: [EventTypesController], providers: [ExpiryNoticesService] })
export class EventsModule {}
