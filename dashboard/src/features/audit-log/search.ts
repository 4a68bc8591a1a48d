import type { SearchSchemaInput } from '@tanstack/react-router';
import { endOfTime, type LocalTime, readLocalTime, startOfTime } from '../../lib/local-time.js';
import { readText } from '../../lib/search-parameters.js';
import { type AuditAction, type AuditTargetKind, readAction, readTargetKind } from './events/actions.js';

/** Filters of the audit log. Events must match all of them. */
export interface AuditLogSearch {
  actorEmail?: string;
  /** The id of a service account. */
  actorId?: string;
  action?: AuditAction;
  targetKind?: AuditTargetKind;
  targetId?: string;
  /** First characters of a key. */
  targetHint?: string;
  /** Email of a person whom the events affected. */
  targetEmail?: string;
  /** Request that caused the events. */
  requestId?: string;
  from?: LocalTime;
  /** Inclusive. */
  to?: LocalTime;
}

/** Reads the URL's search parameters and drops invalid values. */
export function readAuditLogSearch(search: AuditLogSearch & SearchSchemaInput): AuditLogSearch {
  return {
    actorEmail: readText(search.actorEmail),
    actorId: readText(search.actorId),
    action: readAction(search.action),
    targetKind: readTargetKind(search.targetKind),
    targetId: readText(search.targetId),
    targetHint: readText(search.targetHint),
    targetEmail: readText(search.targetEmail),
    requestId: readText(search.requestId),
    from: readLocalTime(search.from),
    to: readLocalTime(search.to),
  };
}

/** Converts days or minutes to the timestamps the API expects, from the start of the first to the end of the last. */
export function toTimeRange({ from, to }: Pick<AuditLogSearch, 'from' | 'to'>): { from?: string; to?: string } {
  return {
    from: from === undefined ? undefined : startOfTime(from).toISOString(),
    to: to === undefined ? undefined : endOfTime(to).toISOString(),
  };
}
