import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../../access/principal.js';
import { AppError } from '../../common/errors/app-error.js';
import { takeTurn } from '../../organizations/access-changes.service.js';
import type { MembershipContext, MembershipDecision } from './decide-membership.js';
import { IdentitiesService, lockPerson } from './identities.service.js';
import type { ProviderClaims } from './provider-claims.js';
import { ProvisionedMembershipsService } from './provisioned-memberships.service.js';
import { ProvisioningService } from './provisioning.service.js';
import { UnverifiedAccountsService } from './unverified-accounts.service.js';

/**
 * Admits people authenticated by the identity provider, and keeps their accounts and memberships in sync with its
 * claims.
 */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly identities: IdentitiesService,
    private readonly provisioning: ProvisioningService,
    private readonly memberships: ProvisionedMembershipsService,
    private readonly unverified: UnverifiedAccountsService,
  ) {}

  /** The person's account; undefined on their first sign-in, which requires an email. */
  async findUserId(identity: Pick<ProviderClaims, 'issuer' | 'subject'>): Promise<string | undefined> {
    return (await this.identities.find(this.dataSource.manager, identity))?.userId;
  }

  /**
   * Finds or creates the user and organization for verified claims. Writes only if something changed since the last
   * time.
   *
   * @throws AppError 403 if the person isn't admitted
   */
  async admit(claims: ProviderClaims, origin: Origin): Promise<MembershipContext> {
    const { manager } = this.dataSource;
    const known = await this.identities.find(manager, claims);
    if (known !== undefined) {
      const { userId, isEmailVerified } = known;
      // Linked before Keycard recorded verification. Secured even if the person is then rejected.
      if (!isEmailVerified) await this.secure(userId, claims, origin);
      const context = await this.findContext(manager, userId, claims, origin);
      const decision = await this.provisioning.decide(manager, context, claims);
      if (decision.kind === 'keep') return context;
      if (decision.kind === 'refuse') throw refusal(decision);
    }
    return this.change(claims, origin);
  }

  private async change(claims: ProviderClaims, origin: Origin): Promise<MembershipContext> {
    const { context, decision } = await this.dataSource.transaction(async (manager) => {
      await lockPerson(manager, claims);
      const userId = await this.identities.findOrCreateUserId(manager, claims);
      const context = await this.findContext(manager, userId, claims, origin);
      // Otherwise an administrator could remove the member between the decision and the change.
      await takeTurn(manager, context.organizationId);
      const wanted = await this.provisioning.decide(manager, context, claims);
      // Rolls back everything, including a new account.
      if (wanted.kind === 'refuse') throw refusal(wanted);
      const decision = await this.memberships.apply(manager, context, wanted, claims.issuedAt);
      await this.unverified.secure(manager, { userId, name: claims.name, origin });
      return { context, decision };
    });
    if (decision.kind === 'withdraw') throw refusal({ kind: 'refuse', reason: 'no-role' });
    return context;
  }

  private secure(userId: string, { name }: ProviderClaims, origin: Origin): Promise<void> {
    return this.dataSource.transaction((manager) => this.unverified.secure(manager, { userId, name, origin }));
  }

  private async findContext(
    manager: EntityManager,
    userId: string,
    claims: ProviderClaims,
    origin: Origin,
  ): Promise<MembershipContext> {
    const organizationId = await this.provisioning.findOrganizationId(manager, userId, claims);
    return { userId, organizationId, origin };
  }
}

function refusal({ reason }: Extract<MembershipDecision, { kind: 'refuse' }>): AppError {
  switch (reason) {
    case 'no-role':
      return new AppError('no-organization', 'Your identity provider assigns you no role of this organization.');
    case 'removed':
      return new AppError('no-organization', 'An administrator removed you from this organization.');
  }
}
