import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Origin } from '../access/actor.js';
import type { AuditAction, AuditTargetKind } from './audit-actions.js';

/** What an action was done to. */
export interface AuditTarget {
  kind: AuditTargetKind;
  id: string | null;
  /** As it is called at this moment. */
  name: string | null;
  /** Of keys: their first characters. */
  hint?: string;
}

/** Who did it; somebody whose account is not known is told by the address that was typed. */
export type AuditActor =
  | Pick<Actor, 'id' | 'organizationId' | 'origin'>
  | { id: string | null; email: string; organizationId: string | null; origin: Origin };

export interface AuditEntry {
  action: AuditAction;
  target: AuditTarget;
  /** Only fields that were changed, and never a secret. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

@Injectable()
export class AuditService {
  /**
   * Writes one event in the transaction of what it tells of: both happen or neither.
   *
   * @param manager of that transaction
   */
  async record(
    manager: EntityManager,
    actor: AuditActor,
    { action, target, before, after }: AuditEntry,
  ): Promise<void> {
    const { id, organizationId, origin } = actor;
    await manager.query(
      `insert into audit_events
         (id, organization_id, action, actor_id, actor_email, address, user_agent,
          target_kind, target_id, target_name, target_hint, before, after)
       values ($1, $2, $3, $4, coalesce($5, (select email from users where id = $4)), $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        uuidv7(),
        organizationId,
        action,
        id,
        'email' in actor ? actor.email : null,
        origin.address,
        origin.userAgent ?? null,
        target.kind,
        target.id,
        target.name,
        target.hint ?? null,
        before ?? null,
        after ?? null,
      ],
    );
  }
}
