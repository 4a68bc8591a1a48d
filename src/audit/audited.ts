import { SetMetadata } from '@nestjs/common';
import type { AuditAction } from './audit-actions.js';

export const auditedMetadata = 'keycard:audited';

/** Declares the audit events that a route records. A test checks that every route that changes data has one. */
export const Audited = (...actions: AuditAction[]) => SetMetadata(auditedMetadata, actions);
