import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { type EntityManager, In } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type AuditEntry, AuditService } from '../../audit/audit.service.js';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import { hasAdministrator } from '../../organizations/access-changes.service.js';
import { Membership } from '../../organizations/membership.entity.js';
import { Organization } from '../../organizations/organization.entity.js';
import { ProvisionedMembership } from '../../organizations/provisioned-membership.entity.js';
import { Role } from '../../organizations/role.entity.js';
import type { Origin } from '../../access/actor.js';
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
    const { defaultRole, missingRoles } = this.config.oidc ?? {};
    const named = roleNames ?? (missingRoles === 'remove' ? [] : undefined);
    const wanted = [...(named ?? []), ...(defaultRole === undefined ? [] : [defaultRole])];
    const roles = await manager.findBy(Role, { organizationId, name: In(wanted) });
    const idOf = (name: string | undefined) => roles.find((role) => role.name === name)?.id;
    const roleIds = named && [...new Set(named.map(idOf).filter((id) => id !== undefined))];
    return decideMembership(state, { roleIds, defaultRoleId: idOf(defaultRole), issuedAt });
  }

  /**
   * Carries out a decision, unless the organization would lose its last member who can change roles and members. That
   * member keeps their roles, and an event records the provider's wish.
   *
   * @returns the decision that holds
   */
  async apply(
    manager: EntityManager,
    place: Place,
    decision: MembershipDecision,
    claimedAt: Date,
  ): Promise<MembershipDecision> {
    if (decision.kind === 'keep' || decision.kind === 'refuse') return decision;
    const { organizationId } = place;
    const hadAdministrator = await hasAdministrator(manager, organizationId);
    try {
      // Nested, it is a savepoint: only this change is undone when it goes too far.
      await manager.transaction(async (nested) => {
        if (decision.kind === 'follow') await this.follow(nested, place, decision.roleIds, claimedAt);
        else await this.withdraw(nested, place, claimedAt);
        if (hadAdministrator && !(await hasAdministrator(nested, organizationId))) throw new LastAdministratorLost();
      });
      return decision;
    } catch (error) {
      if (!(error instanceof LastAdministratorLost)) throw error;
      await this.keepAdministrator(manager, place, decision.kind === 'follow' ? decision.roleIds : [], claimedAt);
      return { kind: 'keep' };
    }
  }

  /** Older tokens stay outdated, as if the newest had been followed. */
  private async keepAdministrator(
    manager: EntityManager,
    place: Place,
    wantedRoleIds: string[],
    claimedAt: Date,
  ): Promise<void> {
    const { userId, organizationId } = place;
    await manager.update(ProvisionedMembership, { userId, organizationId }, { claimedAt });
    const refusedRoles = await this.nameRoles(manager, organizationId, wantedRoleIds);
    // Each token repeats the wish; one event is enough until the membership or the wish changes.
    const [latest] = await manager.query<{ isSame: boolean }[]>(
      `select action = 'member.keep' and after -> 'refusedRoles' = $3::jsonb as "isSame"
         from audit_events join memberships on memberships.id = target_id
        where audit_events.organization_id = $1 and user_id = $2
        order by occurred_at desc, audit_events.id desc limit 1`,
      [organizationId, userId, JSON.stringify(refusedRoles)],
    );
    if (latest?.isSame !== true) await this.record(manager, place, { action: 'member.keep', after: { refusedRoles } });
  }

  /** Makes the user a member with these roles; the event tells what has changed, if anything has. */
  private async follow(
    manager: EntityManager,
    place: Place,
    roleIds: [string, ...string[]],
    claimedAt: Date,
  ): Promise<void> {
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
    await this.record(manager, place, {
      action: before === undefined ? 'member.create' : 'member.update',
      before: before && { roles: await this.nameRoles(manager, organizationId, before.roleIds) },
      after: { roles: await this.nameRoles(manager, organizationId, roleIds) },
    });
  }

  /** Ends the membership; it comes back when the provider names a role again. */
  private async withdraw(manager: EntityManager, place: Place, claimedAt: Date): Promise<void> {
    const { userId, organizationId } = place;
    const before = await this.findRoles(manager, place);
    await manager.update(ProvisionedMembership, { userId, organizationId }, { roleIds: [], claimedAt });
    if (before === undefined) return;
    const roles = await this.nameRoles(manager, organizationId, before.roleIds);
    await this.record(manager, place, { action: 'member.delete', before: { roles } });
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

  private async nameRoles(manager: EntityManager, organizationId: string, ids: string[]): Promise<string[]> {
    const roles = await manager.findBy(Role, { organizationId, id: In(ids) });
    return ids.map((id) => roles.find((role) => role.id === id)?.name).filter((name) => name !== undefined);
  }

  private async record(manager: EntityManager, place: Place, entry: Omit<AuditEntry, 'target'>): Promise<void> {
    const { userId, organizationId, origin } = place;
    const { id, user } = await manager.findOneOrFail(Membership, {
      where: { userId, organizationId },
      relations: { user: true },
    });
    const target = { kind: 'member', id, name: user.email } as const;
    await this.audit.record(manager, { id: userId, organizationId, origin }, { ...entry, target });
  }
}

/** Undoes what the provider wants of the last member who can change roles and members. */
class LastAdministratorLost extends Error {}

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
