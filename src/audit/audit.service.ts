import { isDeepStrictEqual } from 'node:util';
import { Injectable, SetMetadata } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Origin } from '../access/principal.js';
import { publishAudited } from './audited-events.js';
import type { EventActor } from '../events/publish.js';
import {
  type AuditAction,
  type AuditActorKind,
  type AuditTargetKind,
  operatorEmail,
  systemAddress,
} from './audit-actions.js';

export const auditedMetadata = 'keycard:audited';

/** Declares the audit events that a route records. A test checks that every route that changes data has one. */
export const Audited = (...actions: AuditAction[]) => SetMetadata(auditedMetadata, actions);

/** The resource that an action affected. */
interface AuditTarget {
  kind: AuditTargetKind;
  id: string | null;
  /** The current name. */
  name: string | null;
  /** First characters of an API key or a client secret. */
  hint?: string;
}

/** Who did it. Unknown accounts are identified by the email they entered, unknown service accounts not at all. */
type AuditActor =
  | (Pick<Actor, 'id' | 'organizationId' | 'origin'> & { kind?: Actor['kind'] })
  | { id: string | null; email: string; organizationId: string | null; origin: Origin }
  | { id: string | null; organizationId: string | null; kind: 'service-account'; origin: Origin }
  | { organizationId: string; kind: 'system' };

/** An event to record. */
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
   * Records an event in the same transaction as the change, and publishes the events for webhooks that it stands for.
   *
   * @param manager of the transaction
   */
  async record(
    manager: EntityManager,
    actor: AuditActor,
    { action, target, before, after }: AuditEntry,
  ): Promise<void> {
    const { organizationId } = actor;
    const { id, origin } = 'origin' in actor ? actor : { id: null, origin: systemOrigin };
    const [recorded] = await manager.query<{ email: string | null; name: string | null }[]>(
      `insert into audit_events
         (id, organization_id, action, actor_id, actor_email, actor_kind, actor_name, address, user_agent,
          request_id, target_kind, target_id, target_name, target_hint, before, after)
       values ($1, $2, $3, $4, coalesce($5, (select email from users where id = $4)), $6,
         (select name from service_accounts where id = $4), $7, $8, $9, $10, $11, $12, $13, $14, $15)
       returning actor_email as email, actor_name as name`,
      [
        uuidv7(),
        organizationId,
        action,
        id,
        'email' in actor ? actor.email : null,
        kindOf(actor),
        origin.address,
        origin.userAgent ?? null,
        origin.requestId ?? null,
        target.kind,
        target.id,
        target.name,
        target.hint ?? null,
        before ?? null,
        after ?? null,
      ],
    );
    if (organizationId === null) return;
    const { email = null, name = null } = recorded ?? {};
    await publishAudited(manager, {
      organizationId,
      action,
      target,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      actor: { kind: publicKindOf(actor), id, name, email: email === operatorEmail ? null : email },
      address: origin.address,
      requestId: origin.requestId,
    });
  }
}

const systemOrigin: Origin = { address: systemAddress, userAgent: undefined };

function kindOf(actor: AuditActor): AuditActorKind {
  if (!('kind' in actor)) return 'user';
  return actor.kind === 'service-account' || actor.kind === 'system' ? actor.kind : 'user';
}

/** The operator is recorded as a user without an account. */
function publicKindOf(actor: AuditActor): EventActor['kind'] {
  return 'email' in actor && actor.email === operatorEmail ? 'operator' : kindOf(actor);
}

/**
 * The fields that an update would change, as recorded in its audit event.
 *
 * @param wanted the fields to set; undefined fields stay unchanged
 * @returns undefined if nothing would change
 */
export function changedFields<Resource extends object>(
  current: Resource,
  wanted: { [Field in keyof Resource]?: Resource[Field] | undefined },
): { before: Partial<Resource>; after: Partial<Resource> } | undefined {
  const fields = (Object.keys(wanted) as (keyof Resource)[]).filter(
    (field) => wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], current[field]),
  );
  if (fields.length === 0) return undefined;
  const pick = (resource: { [Field in keyof Resource]?: Resource[Field] | undefined }) =>
    Object.fromEntries(fields.map((field) => [field, resource[field]])) as Partial<Resource>;
  return { before: pick(current), after: pick(wanted) };
}
