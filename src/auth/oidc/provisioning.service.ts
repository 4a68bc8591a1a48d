import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Any, type EntityManager } from 'typeorm';
import { AppError } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import { Organization } from '../../organizations/organization.entity.js';
import { Role } from '../../organizations/role.entity.js';
import {
  decideMembership,
  type MembershipContext,
  type MembershipDecision,
  type MembershipState,
} from './decide-membership.js';
import type { ProviderClaims } from './provider-claims.js';

/** Derives membership decisions from the identity provider's claims. Read-only. */
@Injectable()
export class ProvisioningService {
  constructor(private readonly config: ServiceConfig) {}

  /**
   * Finds the organization of the claims. Without an organization claim, it is the first one where the provider manages
   * the user's membership, else the first that the user joined, else the oldest one, which the first start created.
   *
   * @throws AppError 403 if there is no organization, or none with the claimed id
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
         (select id from organizations where deleted_at is null order by created_at, id limit 1)
       ) as id`,
      [userId],
    );
    if (!found?.id) throw new AppError('no-organization', 'There is no organization yet.');
    return found.id;
  }

  private async findClaimedOrganizationId(manager: EntityManager, claim: unknown): Promise<string> {
    const found = isUUID(claim) ? await manager.findOneBy(Organization, { id: String(claim) }) : null;
    if (found !== null) return found.id;
    const name = this.config.oidc?.organizationClaim;
    throw new AppError(
      'no-organization',
      `The claim "${name}" from your identity provider is not the id of an organization.`,
    );
  }

  /** Decides how the membership changes to match the claims. */
  async decide(
    manager: EntityManager,
    context: Omit<MembershipContext, 'origin'>,
    { roleNames, issuedAt }: ProviderClaims,
  ): Promise<MembershipDecision> {
    const { organizationId } = context;
    const state = await readState(manager, context);
    const { defaultRole, missingRoles } = this.config.oidc ?? {};
    const named = roleNames ?? (missingRoles === 'remove' ? [] : undefined);
    const names = [...(named ?? []), ...(defaultRole === undefined ? [] : [defaultRole])];
    // One parameter for all names: a provider may send more than the 65,535 parameters of a statement.
    const roles = await manager.findBy(Role, { organizationId, name: Any(names) });
    const ids = new Map(roles.map(({ id, name }) => [name, id]));
    const roleIds = named && [...new Set(named.map((name) => ids.get(name)).filter((id) => id !== undefined))];
    const defaultRoleId = defaultRole === undefined ? undefined : ids.get(defaultRole);
    return decideMembership(state, { roleIds, defaultRoleId, issuedAt });
  }
}

/** A membership and the provider's latest roles for it; either may be missing. */
interface StoredMembership {
  roleId: string | null;
  roleIds: string[] | null;
  claimedAt: Date | null;
}

/** One query, because with two a person who is just being admitted could look like one who was removed. */
async function readState(
  manager: EntityManager,
  { userId, organizationId }: Omit<MembershipContext, 'origin'>,
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
