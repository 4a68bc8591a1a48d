import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Permission } from '../access/permissions.js';
import type { Actor } from '../access/principal.js';
import { AppError, organizationDeleted, senderRemoved } from '../common/errors/app-error.js';
import { administratorPermissions } from '../common/rules/administrator-permissions.js';
import { MembershipsService, permissionsOfMembership } from './memberships.service.js';
import { Organization } from './organization.entity.js';

/** Passed to a change of roles, members, service accounts or invitations. */
interface AccessChange {
  manager: EntityManager;
  /** The actor's current permissions. */
  held: readonly Permission[];
}

/** Runs changes of roles, members, service accounts and invitations under the rules that apply to all of them. */
@Injectable()
export class AccessChangesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: MembershipsService,
  ) {}

  /**
   * Runs a change in a transaction. Changes in one organization run one at a time, so each sees the result of the
   * previous one. The actor's permissions are read again after the wait, because the guard read them before it.
   *
   * @param permission that the actor must still hold; null if members need none
   * @throws AppError 401 or 403 if the actor has lost the membership or permission; 409 if no member would be left who
   *   can change both roles and members; any error from `change`. Nothing is changed then.
   */
  run<Result>(
    actor: Actor,
    permission: Permission | null,
    change: (access: AccessChange) => Promise<Result>,
  ): Promise<Result> {
    const { organizationId } = actor;
    return this.dataSource.transaction(async (manager) => {
      const held = await this.authorize(manager, actor, permission);
      const hadAdministrator = await hasAdministrator(manager, organizationId);
      const result = await change({ manager, held });
      if (hadAdministrator && !(await hasAdministrator(manager, organizationId))) {
        throw new AppError(
          'conflict',
          'This would leave no member with the permissions “Change roles” and “Change member roles”. First give another member a role that has both.',
        );
      }
      return result;
    });
  }

  /**
   * Takes a turn in the organization, and reads the actor's permissions again.
   *
   * @returns the actor's current permissions
   * @throws AppError 401 or 403 if the actor has lost the membership or permission
   */
  async authorize(manager: EntityManager, actor: Actor, permission: Permission | null): Promise<readonly Permission[]> {
    await takeTurn(manager, actor.organizationId);
    const held = await this.memberships.findPermissionsOf(actor, manager);
    if (held === undefined) throw senderRemoved(actor.kind);
    if (permission === null || held.includes(permission)) return held;
    throw new AppError('missing-permission', `Your role lacks the permission ${permission}.`);
  }
}

/**
 * Checks that the actor holds all granted permissions.
 *
 * @param rule quoted in the error
 * @throws AppError 403 that lists the missing permissions
 */
export function assertHeld(
  held: readonly Permission[],
  granted: readonly Permission[],
  rule = 'You can only grant or remove permissions that you hold.',
): void {
  const lacking = granted.filter((permission) => !held.includes(permission));
  if (lacking.length === 0) return;
  throw new AppError('missing-permission', `Your role lacks ${lacking.join(', ')}. ${rule}`);
}

/**
 * Waits for other access changes in the organization, and locks it against them until the transaction ends. Unlike FOR
 * UPDATE, this lock allows inserting rows that refer to the organization, such as audit events.
 *
 * @throws AppError 401 if the organization was deleted
 */
export async function takeTurn(manager: EntityManager, organizationId: string): Promise<void> {
  const organization = await manager.findOne(Organization, {
    where: { id: organizationId },
    select: { id: true },
    lock: { mode: 'for_no_key_update' },
  });
  if (organization === null) throw organizationDeleted();
}

/** Whether any member can change both roles and members. */
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
