import { SetMetadata } from '@nestjs/common';
import type { AuditAction } from './audit-actions.js';

export const auditedMetadata = 'keycard:audited';

/** Declares which event a route leaves; every route that writes has one, and a test walks them. */
export const Audited = (...actions: AuditAction[]) => SetMetadata(auditedMetadata, actions);
