import type { EntityManager } from 'typeorm';
import { operatorEmail } from '../../audit/audit-actions.js';

/** How a membership ended. */
export const departures = ['left', 'removed'] as const;
export type Departure = (typeof departures)[number];

/** Who removes members. `operator` is the command line. */
export const removerKinds = ['user', 'service-account', 'identity-provider', 'operator'] as const;

/** Who removed a member. */
export interface Remover {
  readonly kind: (typeof removerKinds)[number];
  /** Of the user or service account. */
  readonly id: string | null;
  /** Of a current or former member or a service account; the email of others. */
  readonly name: string | null;
}

/** How a membership ended; all null if the audit log no longer has the event. */
export interface End {
  readonly departure: Departure | null;
  /** Null for someone who left. */
  readonly removedBy: Remover | null;
}

const unknownEnd: End = { departure: null, removedBy: null };

/** The event has almost the time of the removal: the same transaction writes both, by the clock of the database. */
const selectEnds = `
  select former.user_id as "userId", kind, event.actor_id as id,
    coalesce(actor_name, (
      select name from memberships join users on users.id = memberships.user_id
      where memberships.organization_id = former.organization_id and users.id = event.actor_id
    ), (
      select name from former_members remover
      where remover.organization_id = former.organization_id and remover.user_id = event.actor_id
    ), actor_email) as name
  from former_members former
  cross join lateral (
    select actor_id, actor_name, actor_email, case
      when actor_email = $3 then 'operator'
      when action <> 'member.delete' or actor_id is distinct from former.user_id then actor_kind
      when before -> 'roles' is null then 'self'
      else 'identity-provider'
    end as kind
    from audit_events
    where organization_id = former.organization_id and action in ('member.delete', 'account.delete')
      and target_name = former.email
      and occurred_at between former.removed_at - interval '1 minute' and former.removed_at + interval '1 minute'
    order by occurred_at desc limit 1
  ) as event
  where former.organization_id = $1 and former.user_id = any($2::uuid[])`;

interface EndRow {
  userId: string;
  kind: Remover['kind'] | 'self';
  id: string | null;
  name: string | null;
}

/**
 * Reads from the audit log how memberships ended. The identity provider (`roles`) and the command line remove members too.
 *
 * @returns a function of the id of a former member
 */
export async function readEnds(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => End> {
  const rows = await manager.query<EndRow[]>(selectEnds, [organizationId, userIds, operatorEmail]);
  const endOf = new Map(rows.map((row) => [row.userId, toEnd(row)]));
  return (userId) => endOf.get(userId) ?? unknownEnd;
}

/** The user who signs in is the actor of what the identity provider changes. */
function toEnd({ kind, id, name }: EndRow): End {
  if (kind === 'self') return { departure: 'left', removedBy: null };
  const isAccount = kind === 'user' || kind === 'service-account';
  return { departure: 'removed', removedBy: { kind, ...(isAccount ? { id, name } : { id: null, name: null }) } };
}
