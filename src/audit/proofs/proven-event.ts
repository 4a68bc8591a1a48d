import { auditEventColumns, type AuditEventRow } from '../read-audit-events.js';
import { canonicalJson } from './canonical-json.js';
import { installationTree } from './checkpoint.js';

/** All columns of an event. */
export interface ProvenEventRow extends AuditEventRow {
  organizationId: string | null;
}

export const provenEventColumns = `${auditEventColumns}, organization_id as "organizationId"`;

export const treeOf = ({ organizationId }: Pick<ProvenEventRow, 'organizationId'>) =>
  organizationId ?? installationTree;

/**
 * The canonical JSON of an event, whose hash is a leaf of the tree: the fields of `GET /audit-events` and the id of the
 * organization, without the request ID, which replicas of an earlier release don't hash during an upgrade. The hashes of past
 * events depend on it: leave out a new field where it is null.
 */
export function canonicalEvent(event: ProvenEventRow): string {
  const { id, organizationId, occurredAt, address, userAgent, action, before, after } = event;
  const { actorId, actorEmail, actorKind, actorName, targetKind, targetId, targetName, targetHint } = event;
  return canonicalJson({
    id,
    organizationId,
    occurredAt: occurredAt.toISOString(),
    actor: { kind: actorKind, id: actorId, email: actorEmail, name: actorName },
    address,
    userAgent,
    action,
    target: { kind: targetKind, id: targetId, name: targetName, hint: targetHint ?? undefined },
    before,
    after,
  });
}
