import type { Origin } from '../../access/actor.js';

/** A person in an organization, and where their request comes from. */
export interface MembershipContext {
  userId: string;
  organizationId: string;
  origin: Origin;
}

/** What is stored of a user in an organization. */
export interface MembershipState {
  /** Role of the membership; undefined for who is not a member. */
  roleId: string | undefined;
  /** What the provider has last said; undefined when it has not made the user a member. */
  provisioned: { roleIds: string[]; claimedAt: Date } | undefined;
}

/** What the provider says now. */
export interface MembershipClaim {
  /** The named roles that the organization has, in the provider's order; undefined when a member keeps theirs. */
  roleIds: string[] | undefined;
  /** The role of those for whom none is named. */
  defaultRoleId: string | undefined;
  issuedAt: Date;
}

export type MembershipDecision =
  /** Nothing changes, and the user is a member. */
  | { kind: 'keep' }
  /** The user becomes a member with these roles, or changes to them. */
  | { kind: 'follow'; roleIds: [string, ...string[]] }
  /** The provider has taken the last role away. */
  | { kind: 'withdraw' }
  | { kind: 'refuse'; reason: 'no-role' | 'removed' };

/**
 * What becomes of a membership when the provider speaks of it. A membership is managed either in Keycard or by the
 * provider: what was made in Keycard stays as it is, and what an administrator has removed stays removed.
 */
export function decideMembership(state: MembershipState, claim: MembershipClaim): MembershipDecision {
  const { roleId, provisioned } = state;
  const isMember = roleId !== undefined;
  if (isMember && provisioned === undefined) return { kind: 'keep' };
  if (!isMember && provisioned !== undefined && provisioned.roleIds.length > 0) {
    return { kind: 'refuse', reason: 'removed' };
  }
  const isOutdated = provisioned !== undefined && claim.issuedAt < provisioned.claimedAt;
  if (isOutdated) return isMember ? { kind: 'keep' } : { kind: 'refuse', reason: 'no-role' };
  if (isMember && claim.roleIds === undefined) return { kind: 'keep' };

  const [first, ...others] = wantedRoles(claim);
  if (first === undefined) return provisioned ? { kind: 'withdraw' } : { kind: 'refuse', reason: 'no-role' };
  const isKnown =
    roleId === first &&
    provisioned?.claimedAt.getTime() === claim.issuedAt.getTime() &&
    sameRoles(provisioned.roleIds, [first, ...others]);
  return isKnown ? { kind: 'keep' } : { kind: 'follow', roleIds: [first, ...others] };
}

export function sameRoles(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((roleId, index) => roleId === other[index]);
}

function wantedRoles({ roleIds = [], defaultRoleId }: MembershipClaim): string[] {
  if (roleIds.length > 0) return roleIds;
  return defaultRoleId === undefined ? [] : [defaultRoleId];
}
