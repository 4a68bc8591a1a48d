import type { AuditEventDto } from './dto/audit-event.dto.js';
import type { AuditEventRow } from './read-audit-events.js';

/** An event as responses have it. */
export function toDto(event: AuditEventRow): AuditEventDto {
  const { id, occurredAt, address, userAgent, requestId, action, before, after } = event;
  const { actorId, actorEmail, actorKind, actorName, targetKind, targetId, targetName, targetHint } = event;
  return {
    id,
    occurredAt: occurredAt.toISOString(),
    actor: { kind: actorKind, id: actorId, email: actorEmail, name: actorName },
    address,
    userAgent,
    requestId,
    action,
    target: { kind: targetKind, id: targetId, name: targetName, ...(targetHint !== null && { hint: targetHint }) },
    before,
    after,
  };
}
