import { Global, Module } from '@nestjs/common';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditEventsService } from './audit-events.service.js';
import { AuditService } from './audit.service.js';

/** Global, because every module that changes data records events. */
@Global()
@Module({
  controllers: [AuditEventsController],
  providers: [AuditService, AuditEventsService],
  exports: [AuditService],
})
export class AuditModule {}
