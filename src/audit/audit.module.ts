import { Global, Module } from '@nestjs/common';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditEventsService } from './audit-events.service.js';
import { AuditService } from './audit.service.js';
import { AuditProofsController } from './proofs/audit-proofs.controller.js';
import { AuditProofsService } from './proofs/audit-proofs.service.js';
import { AuditTreesService } from './proofs/audit-trees.service.js';
import { AuditSinksService } from './sinks/audit-sinks.service.js';

/** Global, because every module that changes data records events. */
@Global()
@Module({
  controllers: [AuditEventsController, AuditProofsController],
  providers: [AuditService, AuditEventsService, AuditTreesService, AuditProofsService, AuditSinksService],
  exports: [AuditService, AuditEventsService],
})
export class AuditModule {}
