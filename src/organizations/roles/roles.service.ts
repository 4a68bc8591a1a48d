import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { allPermissions, type Permission } from '../../access/permissions.js';
import type { Actor, Principal } from '../../access/principal.js';
import { AuditService, changedFields } from '../../audit/audit.service.js';
import { AccessChangesService, assertHeld } from '../access-changes.service.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { Membership } from '../membership.entity.js';
import { Role } from '../role.entity.js';
import { ServiceAccount } from '../../service-accounts/service-account.entity.js';
import type { CreateRoleDto, RoleDto, UpdateRoleDto } from './dto/role.dto.js';
import { assertNameFree, assertUnused, findRole } from './role-queries.js';

@Injectable()
export class RolesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: AccessChangesService,
    private readonly audit: AuditService,
  ) {}

  /** Lists the organization's roles, oldest first. */
  async list({ organizationId }: Principal): Promise<RoleDto[]> {
    const { manager } = this.dataSource;
    const roles = await manager.find(Role, { where: { organizationId }, order: { createdAt: 'ASC', id: 'ASC' } });
    const counts = await countUses(manager, organizationId);
    return roles.map((role) => toDto(role, counts));
  }

  /** @throws AppError 403 for permissions that the actor doesn't hold; 409 if the name is taken */
  async create(actor: Actor, { name, permissions }: CreateRoleDto): Promise<RoleDto> {
    const id = uuidv7();
    return this.write(actor, 'create-roles', async (manager, held) => {
      assertHeld(held, permissions);
      await assertNameFree(manager, { id, organizationId: actor.organizationId, name });
      const role = { name, permissions: inOrder(permissions) };
      await manager.insert(Role, { id, organizationId: actor.organizationId, ...role });
      await this.audit.record(manager, actor, {
        action: 'role.create',
        target: { kind: 'role', id, name },
        after: role,
      });
      return id;
    });
  }

  /**
   * Changes name or permissions. The actor must hold the added and removed permissions and, to rename the role, all of
   * its permissions: identity providers assign roles by name, so the name decides who gets them.
   *
   * @throws AppError 403 for permissions that the actor doesn't hold; 404 for unknown, malformed and foreign ids; 409
   *   if the name is taken, or the organization would lose its last administrator
   */
  async update(actor: Actor, id: string, { name, permissions }: UpdateRoleDto): Promise<RoleDto> {
    return this.write(actor, 'update-roles', async (manager, held) => {
      const role = await findRole(manager, actor.organizationId, id);
      const wanted = { name, permissions: permissions && inOrder(permissions) };
      const changes = changedFields<Pick<Role, 'name' | 'permissions'>>(role, wanted);
      if (changes === undefined) return role.id;
      if (changes.after.name !== undefined) {
        assertHeld(held, role.permissions, renamingRule);
        await assertNameFree(manager, { ...role, name: changes.after.name });
      }
      assertHeld(held, difference(role.permissions, permissions ?? role.permissions));
      await manager.update(Role, { id: role.id }, changes.after);
      const target = { kind: 'role', id: role.id, name: role.name } as const;
      await this.audit.record(manager, actor, { action: 'role.update', target, ...changes });
      return role.id;
    });
  }

  /**
   * Deletes a role that nothing has.
   *
   * @throws AppError 404 for unknown, malformed and foreign ids; 409 that lists members, service accounts and
   *   invitations with the role
   */
  delete(actor: Actor, id: string): Promise<void> {
    return this.changes.run(actor, 'delete-roles', async ({ manager }) => {
      const role = await findRole(manager, actor.organizationId, id);
      await assertUnused(manager, role);
      await manager.delete(Role, { id: role.id });
      await this.audit.record(manager, actor, {
        action: 'role.delete',
        target: { kind: 'role', id: role.id, name: role.name },
        before: { name: role.name, permissions: role.permissions },
      });
    });
  }

  /** Writes a role and returns it. */
  private write(
    actor: Actor,
    permission: Permission,
    write: (manager: EntityManager, held: readonly Permission[]) => Promise<string>,
  ): Promise<RoleDto> {
    return this.changes.run(actor, permission, async ({ manager, held }) => {
      const id = await write(manager, held);
      const counts = await countUses(manager, actor.organizationId);
      return toDto(await findRole(manager, actor.organizationId, id), counts);
    });
  }
}

const renamingRule =
  'Renaming a role requires every permission it holds, because identity providers assign roles by name.';

/** Numbers of members, service accounts and invitations by role id. */
interface UseCounts {
  members: Map<string, number>;
  serviceAccounts: Map<string, number>;
  invitations: Map<string, number>;
}

async function countUses(manager: EntityManager, organizationId: string): Promise<UseCounts> {
  return {
    members: await countByRole(manager, Membership, organizationId),
    serviceAccounts: await countByRole(manager, ServiceAccount, organizationId),
    invitations: await countByRole(manager, Invitation, organizationId),
  };
}

async function countByRole(
  manager: EntityManager,
  uses: typeof Membership | typeof ServiceAccount | typeof Invitation,
  organizationId: string,
): Promise<Map<string, number>> {
  const rows = await manager
    .createQueryBuilder<Membership | ServiceAccount | Invitation>(uses, 'use')
    .select('use.roleId', 'roleId')
    .addSelect('count(*)::int', 'count')
    .where('use.organizationId = :organizationId', { organizationId })
    .groupBy('use.roleId')
    .getRawMany<{ roleId: string; count: number }>();
  return new Map(rows.map(({ roleId, count }) => [roleId, count]));
}

/** Sorts permissions in the order of the catalog. */
function inOrder(permissions: readonly Permission[]): Permission[] {
  return allPermissions.filter((permission) => permissions.includes(permission));
}

/** Permissions in exactly one of the two lists. */
function difference(one: readonly Permission[], other: readonly Permission[]): Permission[] {
  const lacking = (from: readonly Permission[], list: readonly Permission[]) =>
    list.filter((permission) => !from.includes(permission));
  return [...lacking(other, one), ...lacking(one, other)];
}

function toDto(
  { id, name, permissions, createdAt, updatedAt }: Role,
  { members, serviceAccounts, invitations }: UseCounts,
): RoleDto {
  return {
    id,
    name,
    permissions,
    memberCount: members.get(id) ?? 0,
    serviceAccountCount: serviceAccounts.get(id) ?? 0,
    invitationCount: invitations.get(id) ?? 0,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
