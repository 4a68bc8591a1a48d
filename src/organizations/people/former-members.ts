import type { EntityManager } from 'typeorm';

/**
 * Keeps who a member was, before their membership ends. The audit log and the pages of keys then still name them, even if
 * their account is deleted.
 *
 * @param manager of the transaction that ends the membership
 * @param organizationId undefined for all organizations of the user
 */
export async function rememberMember(manager: EntityManager, userId: string, organizationId?: string): Promise<void> {
  await manager.query(
    `insert into former_members (organization_id, user_id, email, name, role, joined_at)
     select membership.organization_id, users.id, users.email, users.name, role.name, membership.created_at
     from memberships membership
     join users on users.id = membership.user_id
     join roles role on role.organization_id = membership.organization_id and role.id = membership.role_id
     where membership.user_id = $1 and ($2::uuid is null or membership.organization_id = $2)
     on conflict (organization_id, user_id) do update set
       email = excluded.email, name = excluded.name, role = excluded.role, joined_at = excluded.joined_at,
       removed_at = excluded.removed_at`,
    [userId, organizationId ?? null],
  );
}

/** SQL condition: a `former_members` row with the alias `former` is of someone who isn't a member again. */
export const isStillFormer = `not exists (
  select from memberships where user_id = former.user_id and organization_id = former.organization_id
)`;

/** How a membership ended. */
export const departures = ['left', 'removed'] as const;
export type Departure = (typeof departures)[number];

/** The event has almost the time of the removal: the same transaction writes both, by the clock of the database. */
const selectDepartures = `
  select former.user_id as "userId", departure
  from former_members former
  cross join lateral (
    select case
      when action = 'member.delete' and actor_id = former.user_id and before -> 'roles' is null then 'left'
      else 'removed'
    end as departure
    from audit_events
    where organization_id = former.organization_id and action in ('member.delete', 'account.delete')
      and target_name = former.email
      and occurred_at between former.removed_at - interval '1 minute' and former.removed_at + interval '1 minute'
    order by occurred_at desc limit 1
  ) as event
  where former.organization_id = $1 and former.user_id = any($2::uuid[])`;

/**
 * Reads from the audit log how memberships ended. The identity provider (`roles`) and the command line remove members too.
 *
 * @returns a function of the id of a former member, which returns null if the log no longer has the event
 */
export async function readDepartures(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => Departure | null> {
  const rows = await manager.query<{ userId: string; departure: Departure }[]>(selectDepartures, [
    organizationId,
    userIds,
  ]);
  const departureOf = new Map(rows.map(({ userId, departure }) => [userId, departure]));
  return (userId) => departureOf.get(userId) ?? null;
}
