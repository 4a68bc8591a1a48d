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
