import type { AuditEvent } from '../../../api/schema.js';
import type { Change } from './describe-changes.js';

const outcomes: Partial<Record<string, string>> = {
  disabled: ' and was disabled',
  deleted: ' and was deleted',
  'previous-secret-revoked': ' and was revoked',
  unchanged: ' and still works',
  'already-rejected': ', but was already rejected',
};

/** Completes a sentence that ends with "leaked". */
export function describeLeakOutcome(outcome: unknown): string {
  return (typeof outcome === 'string' ? outcomes[outcome] : undefined) ?? '';
}

/** Completes a sentence that ends with "leaked", about the report of a member. */
export function describeReportOutcome(outcome: unknown): string {
  return outcome === 'disabled' ? ', and it was disabled' : '';
}

/**
 * Where the key was found, as the event shows changes. Members don't say where. URLs are text, because reporters choose
 * them.
 */
export function leakDetails({ actor, after }: Pick<AuditEvent, 'actor' | 'after'>): Change[] {
  if (actor.kind !== 'system') return [];
  const { url, source } = after ?? {};
  return [
    { field: 'Found at', before: [], after: [typeof url === 'string' ? url : 'Unknown'] },
    ...(typeof source === 'string' ? [{ field: 'Source', before: [], after: [source] }] : []),
  ];
}
