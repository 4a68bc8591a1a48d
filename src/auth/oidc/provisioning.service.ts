import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { type EntityManager, In } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.js';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import { Membership } from '../../organizations/membership.entity.js';
import { Organization } from '../../organizations/organization.entity.js';
import { ProvisionedMembership } from '../../organizations/provisioned-membership.entity.js';
import { Role } from '../../organizations/role.entity.js';
import type { Origin } from '../actor.js';
import { decideMembership, type MembershipDecision, type MembershipState, sameRoles } from './decide-membership.js';
import type { ProviderClaims } from './provider-claims.js';

/** A person in an organization, and where they ask from. */
export interface Place {
  userId: string;
  organizationId: string;
  origin: Origin;
}

/** Memberships as the identity provider wants them. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly config: ServiceConfig,
    private readonly audit: AuditService,
  ) {}

  /**
   * The organization that the claims are about. Without the claim: where the provider has made the user a member,
   * else the first that the user has joined, else the oldest of all, which the first start has created.
   *
   * @throws AppError 403 when there is none, or the claim names none
   */
  async findOrganizationId(manager: EntityManager, userId: string, { organization }: ProviderClaims): Promise<string> {
    if (organization !== undefined) return this.findClaimedOrganizationId(manager, organization);
    const [found] = await manager.query<{ id: string | null }[]>(
      `select coalesce(
         (select organization_id from provisioned_memberships provisioned
           where user_id = $1 and (role_ids = '{}' or exists (
             select from memberships member
             where member.user_id = $1 and member.organization_id = provisioned.organization_id))
           order by created_at, organization_id limit 1),
         (select organization_id from memberships where user_id = $1 order by created_at, id limit 1),
         (select id from organizations order by created_at, id limit 1)
       ) as id`,
      [userId],
    );
    if (!found?.id) throw new AppError('no-organization', 'There is no organization yet.');
    return found.id;
  }

  private async findClaimedOrganizationId(manager: EntityManager, claim: unknown): Promise<string> {
    const isKnown = isUUID(claim) && (await manager.existsBy(Organization, { id: String(claim) }));
    if (isKnown) return String(claim);
    const name = this.config.oidc?.organizationClaim;
    throw new AppError('no-organization', `The claim "${name}" of your identity provider is no organization's id.`);
  }

  /** What has to be done so that the membership is as the provider says. */
  async decide(
    manager: EntityManager,
    place: Omit<Place, 'origin'>,
    { roleNames, issuedAt }: ProviderClaims,
  ): Promise<MembershipDecision> {
    const { organizationId } = place;
    const state = await readState(manager, place);
    const defaultRole = this.config.oidc?.defaultRole;
    const wanted = [...(roleNames ?? []), ...(defaultRole === undefined ? [] : [defaultRole])];
    const roles = await manager.findBy(Role, { organizationId, name: In(wanted) });
    const idOf = (name: string | undefined) => roles.find((role) => role.name === name)?.id;
    const roleIds = roleNames && [...new Set(roleNames.map(idOf).filter((id) => id !== undefined))];
    return decideMembership(state, { roleIds, defaultRoleId: idOf(defaultRole), issuedAt });
  }

  /** Makes the user a member with these roles; the event tells what has changed, if anything has. */
  async follow(manager: EntityManager, place: Place, roleIds: [string, ...string[]], claimedAt: Date): Promise<void> {
    const { userId, organizationId } = place;
    const before = await this.findRoles(manager, place);
    await manager.upsert(ProvisionedMembership, { userId, organizationId, roleIds, claimedAt }, [
      'userId',
      'organizationId',
    ]);
    await manager
      .createQueryBuilder()
      .insert()
      .into(Membership)
      .values({ id: uuidv7(), userId, organizationId, roleId: roleIds[0] })
      .orUpdate(['role_id', 'updated_at'], ['user_id', 'organization_id'])
      .execute();
    if (before !== undefined && sameRoles(before.roleIds, roleIds)) return;
    await this.record(
      manager,
      place,
      before === undefined ? 'member.create' : 'member.update',
      before?.roleIds,
      roleIds,
    );
  }

  /** Ends the membership; it comes back when the provider names a role again. */
  async withdraw(manager: EntityManager, place: Place, claimedAt: Date): Promise<void> {
    const { userId, organizationId } = place;
    const before = await this.findRoles(manager, place);
    await manager.update(ProvisionedMembership, { userId, organizationId }, { roleIds: [], claimedAt });
    if (before === undefined) return;
    await this.record(manager, place, 'member.delete', before.roleIds, undefined);
    await manager.delete(Membership, { userId, organizationId });
  }

  private async findRoles(
    manager: EntityManager,
    { userId, organizationId }: Place,
  ): Promise<{ roleIds: string[] } | undefined> {
    const member = await manager.findOneBy(Membership, { userId, organizationId });
    if (member === null) return undefined;
    const provisioned = await manager.findOneBy(ProvisionedMembership, { userId, organizationId });
    const isUnchanged = provisioned?.roleIds[0] === member.roleId;
    return { roleIds: isUnchanged ? provisioned.roleIds : [member.roleId] };
  }

  private async record(
    manager: EntityManager,
    place: Place,
    action: 'member.create' | 'member.update' | 'member.delete',
    before: string[] | undefined,
    after: string[] | undefined,
  ): Promise<void> {
    const { userId, organizationId, origin } = place;
    const member = await manager.findOneOrFail(Membership, {
      where: { userId, organizationId },
      relations: { user: true },
    });
    const namesOf = async (ids: string[] | undefined) => {
      if (ids === undefined) return undefined;
      const roles = await manager.findBy(Role, { organizationId, id: In(ids) });
      return { roles: ids.map((id) => roles.find((role) => role.id === id)?.name) };
    };
    await this.audit.record(
      manager,
      { id: userId, organizationId, origin },
      {
        action,
        target: { kind: 'member', id: member.id, name: member.user.email },
        before: await namesOf(before),
        after: await namesOf(after),
      },
    );
  }
}

/** A membership, with what the provider has last said of it; either may be missing. */
interface StoredMembership {
  roleId: string | null;
  roleIds: string[] | null;
  claimedAt: Date | null;
}

/** In one query: between two, somebody who is let in at this moment would pass for one who was removed. */
async function readState(
  manager: EntityManager,
  { userId, organizationId }: Omit<Place, 'origin'>,
): Promise<MembershipState> {
  const [row] = await manager.query<StoredMembership[]>(
    `select role_id as "roleId", role_ids as "roleIds", claimed_at as "claimedAt"
       from memberships full join provisioned_memberships using (user_id, organization_id)
      where user_id = $1 and organization_id = $2`,
    [userId, organizationId],
  );
  const { roleId, roleIds, claimedAt } = row ?? {};
  return { roleId: roleId ?? undefined, provisioned: roleIds && claimedAt ? { roleIds, claimedAt } : undefined };
}
