import type { Origin } from '../../access/principal.js';

/** A user in an organization, and the origin of the request. */
export interface MembershipContext {
  userId: string;
  organizationId: string;
  origin: Origin;
}

/** The stored membership of a user in an organization. */
export interface MembershipState {
  /** Role of the membership; undefined if the user isn't a member. */
  roleId: string | undefined;
  /** The provider's latest roles; undefined if it doesn't manage the membership. */
  provisioned: { roleIds: string[]; claimedAt: Date } | undefined;
}

/** The roles that the provider's token asks for. */
interface MembershipClaim {
  /** The claimed roles that the organization has, in the provider's order; undefined if members keep theirs. */
  roleIds: string[] | undefined;
  /** The role for people without a claimed role. */
  defaultRoleId: string | undefined;
  issuedAt: Date;
}

export type MembershipDecision =
  /** The user is a member, and nothing changes. */
  | { kind: 'keep' }
  /** The user becomes a member with these roles, or their roles change to them. */
  | { kind: 'follow'; roleIds: [string, ...string[]] }
  /** The provider removed the last role. */
  | { kind: 'withdraw' }
  | { kind: 'refuse'; reason: 'no-role' | 'removed' };

/**
 * Decides how a membership follows the provider's claim. It is managed either in Keycard or by the provider:
 * memberships created in Keycard don't change, and members removed by an administrator stay removed.
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
