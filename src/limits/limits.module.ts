import { Module } from '@nestjs/common';
import { LimitNoticesService } from './notices/limit-notices.service.js';
import { ReservationsService } from './reservations.service.js';

@Module({ providers: [LimitNoticesService, ReservationsService], exports: [ReservationsService] })
export class LimitsModule {}
