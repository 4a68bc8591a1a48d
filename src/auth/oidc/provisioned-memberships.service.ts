import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type AuditEntry, AuditService } from '../../audit/audit.service.js';
import { hasAdministrator } from '../../organizations/access-changes.service.js';
import { Membership } from '../../organizations/membership.entity.js';
import { rememberMember } from '../../organizations/people/former-members.js';
import { ProvisionedMembership } from '../../organizations/provisioned-membership.entity.js';
import { Role } from '../../organizations/role.entity.js';
import { type MembershipContext, type MembershipDecision, sameRoles } from './decide-membership.js';

/** Changes memberships that the identity provider manages, and records each change. */
@Injectable()
export class ProvisionedMembershipsService {
  constructor(private readonly audit: AuditService) {}

  /**
   * Applies a decision, unless the organization would lose its last administrator (a member who can change roles and
   * members). An administrator then keeps their roles, and an event records the roles that the provider asked for.
   *
   * @returns the decision that was applied
   */
  async apply(
    manager: EntityManager,
    context: MembershipContext,
    decision: MembershipDecision,
    claimedAt: Date,
  ): Promise<MembershipDecision> {
    if (decision.kind === 'keep' || decision.kind === 'refuse') return decision;
    const { organizationId } = context;
    const hadAdministrator = await hasAdministrator(manager, organizationId);
    try {
      // A nested transaction is a savepoint, so only this change is rolled back.
      await manager.transaction(async (nested) => {
        if (decision.kind === 'follow') await this.follow(nested, context, decision.roleIds, claimedAt);
        else await this.withdraw(nested, context, claimedAt);
        if (hadAdministrator && !(await hasAdministrator(nested, organizationId))) throw new LastAdministratorLost();
      });
      return decision;
    } catch (error) {
      if (!(error instanceof LastAdministratorLost)) throw error;
      await this.keepAdministrator(manager, context, decision.kind === 'follow' ? decision.roleIds : [], claimedAt);
      return { kind: 'keep' };
    }
  }

  /** Updates `claimedAt` as if the claim had been applied, so older tokens stay outdated. */
  private async keepAdministrator(
    manager: EntityManager,
    context: MembershipContext,
    claimedRoleIds: string[],
    claimedAt: Date,
  ): Promise<void> {
    const { userId, organizationId } = context;
    await manager.update(ProvisionedMembership, { userId, organizationId }, { claimedAt });
    const refusedRoles = await this.nameRoles(manager, organizationId, claimedRoleIds);
    // Every token repeats the claim; one event is enough until the membership or the claim changes.
    const [latest] = await manager.query<{ isSame: boolean }[]>(
      `select action = 'member.keep' and after -> 'refusedRoles' = $3::jsonb as "isSame"
         from audit_events join memberships on memberships.id = target_id
        where audit_events.organization_id = $1 and user_id = $2
        order by occurred_at desc, audit_events.id desc limit 1`,
      [organizationId, userId, JSON.stringify(refusedRoles)],
    );
    if (latest?.isSame !== true)
      await this.record(manager, context, { action: 'member.keep', after: { refusedRoles } });
  }

  /** Makes the user a member with these roles, and records an event if anything changed. */
  private async follow(
    manager: EntityManager,
    context: MembershipContext,
    roleIds: [string, ...string[]],
    claimedAt: Date,
  ): Promise<void> {
    const { userId, organizationId } = context;
    const before = await this.findRoles(manager, context);
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
    await this.record(manager, context, {
      action: before === undefined ? 'member.create' : 'member.update',
      before: before && { roles: await this.nameRoles(manager, organizationId, before.roleIds) },
      after: { roles: await this.nameRoles(manager, organizationId, roleIds) },
    });
  }

  /** Ends the membership until the provider assigns a role again. */
  private async withdraw(manager: EntityManager, context: MembershipContext, claimedAt: Date): Promise<void> {
    const { userId, organizationId } = context;
    const before = await this.findRoles(manager, context);
    await manager.update(ProvisionedMembership, { userId, organizationId }, { roleIds: [], claimedAt });
    if (before === undefined) return;
    const roles = await this.nameRoles(manager, organizationId, before.roleIds);
    await this.record(manager, context, { action: 'member.delete', before: { roles } });
    await rememberMember(manager, userId, organizationId);
    await manager.delete(Membership, { userId, organizationId });
  }

  private async findRoles(
    manager: EntityManager,
    { userId, organizationId }: MembershipContext,
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

  private async record(
    manager: EntityManager,
    context: MembershipContext,
    entry: Omit<AuditEntry, 'target'>,
  ): Promise<void> {
    const { userId, organizationId, origin } = context;
    const { id, user } = await manager.findOneOrFail(Membership, {
      where: { userId, organizationId },
      relations: { user: true },
    });
    const target = { kind: 'member', id, name: user.email } as const;
    await this.audit.record(manager, { id: userId, organizationId, origin }, { ...entry, target });
  }
}

/** Rolls back a change that would leave the organization without an administrator. */
class LastAdministratorLost extends Error {}
