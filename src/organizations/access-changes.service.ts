import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../access/actor.js';
import type { Permission } from '../access/permissions.js';
import { AppError, unauthenticated } from '../common/errors/app-error.js';
import { Organization } from './organization.entity.js';
import { permissionsOfMembership } from './membership-queries.js';

/** Whoever holds these can put everything else right again. */
const administratorPermissions: Permission[] = ['update-roles', 'update-members'];

/** What a change to roles, members or invitations works with. */
export interface AccessChange {
  /** Of the transaction. */
  manager: EntityManager;
  /** What the actor may do at this moment. */
  held: readonly Permission[];
}

/** Changes who may do what in an organization, under the rules that hold for all such changes. */
@Injectable()
export class AccessChangesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs a change in a transaction of its own. Those of one organization take turns, so each sees what the one before
   * has done, and what the actor holds is read after the wait: the guard has read it before.
   *
   * @param permission that the actor must still hold
   * @throws AppError 401 or 403 when the actor has lost membership or permission meanwhile; 409 when nobody would be
   * left who can change both roles and members; whatever the change throws. Nothing is changed then.
   */
  run<Result>(
    actor: Actor,
    permission: Permission,
    change: (access: AccessChange) => Promise<Result>,
  ): Promise<Result> {
    const { organizationId } = actor;
    return this.dataSource.transaction(async (manager) => {
      await takeTurn(manager, organizationId);
      const held = await readPermissions(manager, actor);
      if (!held.includes(permission)) {
        throw new AppError('missing-permission', `Your role lacks the permission ${permission}.`);
      }
      const hadAdministrator = await hasAdministrator(manager, organizationId);
      const result = await change({ manager, held });
      if (hadAdministrator && !(await hasAdministrator(manager, organizationId))) {
        throw new AppError(
          'conflict',
          `Nobody would be left who holds ${administratorPermissions.join(' and ')}; give a role with both to another member first.`,
        );
      }
      return result;
    });
  }
}

/**
 * Refuses to grant what the actor does not hold.
 *
 * @param rule that the error gives as the reason
 * @throws AppError 403 that names the permissions
 */
export function assertHeld(
  held: readonly Permission[],
  granted: readonly Permission[],
  rule = 'You can give to others, or take from a role, only permissions that you hold.',
): void {
  const lacking = granted.filter((permission) => !held.includes(permission));
  if (lacking.length === 0) return;
  throw new AppError('missing-permission', `Your role lacks ${lacking.join(', ')}. ${rule}`);
}

/**
 * Waits until no other change of access in the organization is under way, to the end of the transaction. This lock,
 * unlike FOR UPDATE, lets others insert rows that refer to the organization, such as events.
 */
export async function takeTurn(manager: EntityManager, organizationId: string): Promise<void> {
  await manager.findOne(Organization, {
    where: { id: organizationId },
    select: { id: true },
    lock: { mode: 'for_no_key_update' },
  });
}

async function readPermissions(manager: EntityManager, { id, organizationId }: Actor): Promise<Permission[]> {
  const [found] = await manager.query<{ permissions: Permission[] }[]>(
    `select ${permissionsOfMembership} as permissions
       from memberships membership where membership.user_id = $1 and membership.organization_id = $2`,
    [id, organizationId],
  );
  if (found === undefined) {
    throw unauthenticated('invalid-credential', 'You are no longer a member of this organization.');
  }
  return found.permissions;
}

/** Whether a member holds the permissions that can restore all others. */
export async function hasAdministrator(manager: EntityManager, organizationId: string): Promise<boolean> {
  const [found] = await manager.query<{ exists: boolean }[]>(
    `select exists (
       select from memberships membership
        where membership.organization_id = $1 and ${permissionsOfMembership} @> $2::text[]
     )`,
    [organizationId, administratorPermissions],
  );
  return found?.exists === true;
}
