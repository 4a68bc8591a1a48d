import type { OnLeak } from '@rules/leak-rules.js';
import type { OrganizationDetails, UpdateOrganization } from '../../api/schema.js';

/** Ten years, the API's limit. */
export const maxLifetimeDays = 3650;

/** Values of the settings form. */
export interface OrganizationValues {
  name: string;
  hasLongestLifetime: boolean;
  /** A string while the field is empty or incomplete. */
  longestKeyLifetimeDays: number | string;
  /** IANA name. */
  timeZone: string;
  onLeak: OnLeak;
}

/** Returns an error if there's a limit and it's invalid. */
export function checkLifetimeDays({
  hasLongestLifetime,
  longestKeyLifetimeDays: days,
}: Pick<OrganizationValues, 'hasLongestLifetime' | 'longestKeyLifetimeDays'>): string | undefined {
  const isValid = typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= maxLifetimeDays;
  return !hasLongestLifetime || isValid ? undefined : `Enter a whole number from 1 to ${maxLifetimeDays}.`;
}

/** Returns only the changed settings, to keep concurrent changes to the others, or undefined if nothing changed. */
export function settingsChanges(
  before: Pick<OrganizationDetails, 'name' | 'longestKeyLifetimeDays' | 'timeZone' | 'onLeak'>,
  { name, hasLongestLifetime, longestKeyLifetimeDays: days, timeZone, onLeak }: OrganizationValues,
): UpdateOrganization | undefined {
  const after = hasLongestLifetime ? Number(days) : null;
  const isRenamed = name.trim() !== before.name;
  const isLimited = after !== before.longestKeyLifetimeDays;
  const isMoved = timeZone !== before.timeZone;
  const hasOtherPolicy = onLeak !== before.onLeak;
  if (!isRenamed && !isLimited && !isMoved && !hasOtherPolicy) return undefined;
  return {
    ...(isRenamed && { name }),
    ...(isLimited && { longestKeyLifetimeDays: after }),
    ...(isMoved && { timeZone }),
    ...(hasOtherPolicy && { onLeak }),
  };
}
