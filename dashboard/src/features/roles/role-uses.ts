import type { Role } from '../../api/schema.js';
import { pluralize } from '../../lib/format-numbers.js';

type UseCounts = Pick<Role, 'memberCount' | 'serviceAccountCount' | 'invitationCount'>;

/** Describes what uses a role, such as "3 members" and "1 invitation". Leaves out what doesn't. */
export function describeUses({ memberCount, serviceAccountCount, invitationCount }: UseCounts): string[] {
  const counts = [
    { count: memberCount, noun: 'member' },
    { count: serviceAccountCount, noun: 'service account' },
    { count: invitationCount, noun: 'invitation' },
  ];
  return counts.filter(({ count }) => count > 0).map(({ count, noun }) => pluralize(count, noun));
}

/** Why a role can't be deleted; undefined if it can. */
export function deletionDisabledReason(role: UseCounts): string | undefined {
  const uses = describeUses(role);
  return uses.length === 0 ? undefined : `This role is in use by ${new Intl.ListFormat('en').format(uses)}.`;
}
