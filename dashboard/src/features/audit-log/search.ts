import type { SearchSchemaInput } from '@tanstack/react-router';
import { type CalendarDay, readDay } from '../../lib/calendar-day.js';
import { readText } from '../../lib/search-parameters.js';
import { type AuditAction, type AuditTargetKind, readAction, readTargetKind } from './events/actions.js';

/** Which events; all of these hold at once. */
export interface AuditLogSearch {
  actorEmail?: string;
  action?: AuditAction;
  targetKind?: AuditTargetKind;
  targetId?: string;
  from?: CalendarDay;
  /** Inclusive. */
  to?: CalendarDay;
}

/** What the address says, without what makes no sense. */
export function readAuditLogSearch(search: AuditLogSearch & SearchSchemaInput): AuditLogSearch {
  return {
    actorEmail: readText(search.actorEmail),
    action: readAction(search.action),
    targetKind: readTargetKind(search.targetKind),
    targetId: readText(search.targetId),
    from: readDay(search.from),
    to: readDay(search.to),
  };
}
