import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Origin } from '../access/actor.js';
import type { AuditAction, AuditTargetKind } from './audit-actions.js';

/** The resource that an action affected. */
export interface AuditTarget {
  kind: AuditTargetKind;
  id: string | null;
  /** The current name. */
  name: string | null;
  /** First characters of an API key. */
  hint?: string;
}

/** Who did it. Unknown accounts are identified by the email they entered. */
export type AuditActor =
  | Pick<Actor, 'id' | 'organizationId' | 'origin'>
  | { id: string | null; email: string; organizationId: string | null; origin: Origin };

export interface AuditEntry {
  action: AuditAction;
  target: AuditTarget;
  /** Previous and new values of the changed fields only. Never a secret. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

@Injectable()
export class AuditService {
  /**
   * Records an event in the same transaction as the change.
   *
   * @param manager of the transaction
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
